import path from 'node:path';
import { commandFiles, userCommandPlaces } from '../../agents/command-files.ts';
import { userFolders } from '../../agents/user-folders.ts';
import { auditFileName, mostAuditFiles } from '../../audit/audit-file-name.ts';
import type { Config } from '../../config/schema.ts';
import { configCandidates } from '../../config/source/find.ts';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { StdioEntry, UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { Guard } from '../../workspace/protection/guard.ts';
import { Protection } from '../../workspace/protection/protection.ts';
import type { ProtectedName, ProtectedPath } from '../../workspace/protection/rules.ts';
import { gitSettingsOf, VERSION_CONTROL } from '../../workspace/protection/version-control.ts';
import { daemonPaths, homeFolder } from '../settings/paths.ts';

interface Surroundings {
  /** Absolute. */
  readonly configPath: string;
  readonly home: string;
  readonly env: Environment;
}

/** Returns the guard that keeps tools of workflows from files that decide what this gateway, agents and version control run. */
export function protectionOf(config: Config, { configPath, home, env }: Surroundings): Guard {
  const userFolder = userHome(env);
  const gitConfigs = gitSettingsOf(userFolder, env);
  return new Protection({
    paths: [
      { path: path.resolve(configPath), what: 'the config of this gateway, which names the commands that it runs' },
      ...ownFolders(home, configPath, env),
      ...otherConfigs(env, userFolder),
      ...filesOf(config),
      ...entriesOf(config).flatMap(programsOf),
      ...foldersOfPath(env),
      ...userCommandPlaces(userFolders(env, { home: userFolder, platform: process.platform })).map(
        liftable('settings of an agent, which may name commands'),
      ),
      ...gitConfigs.map(liftable('settings of git, which may name commands')),
    ],
    names: namesOf(),
    gitConfigs,
    userHome: userFolder,
    unprotected: config.workspace.unprotected,
  });
}

/** Returns all entries: those that do not run now, because they are switched off or have a fault, may run later. */
function entriesOf({ upstreams, disabled, broken }: Config): UpstreamEntry[] {
  return [...upstreams, ...disabled, ...broken.flatMap(({ partial }) => partial ?? [])];
}

function ownFolders(home: string, configPath: string, env: Environment): ProtectedPath[] {
  const usual = homeFolder({ ...env, VIADUCT_HOME: undefined });
  const { socketFolder } = daemonPaths(home, configPath);
  const folders = [home, usual, ...(process.platform === 'win32' ? [] : [socketFolder])];
  return folders.map((folder) => ({ path: folder, what: 'the folder of the gateway ($VIADUCT_HOME)', isSecret: true }));
}

const liftable =
  (what: string) =>
  (place: string): ProtectedPath => ({ path: place, what, canBeLifted: true });

/** Those that the next start would find. A folder of the workspace may be the one that it is started in: see `namesOf`. */
function otherConfigs(env: Environment, userFolder: string): ProtectedPath[] {
  const search = { cwd: process.cwd(), home: userFolder };
  const found = [...configCandidates({ ...search, env }), ...configCandidates({ ...search, env: withoutConfig(env) })];
  return found.map(({ path: place }) => ({ path: place, what: 'a config that Viaduct reads when it is started' }));
}

function withoutConfig(env: Environment): Environment {
  return { ...env, VIADUCT_CONFIG: undefined };
}

function namesOf(): ProtectedName[] {
  const configs = namesOfConfigs().map((pattern) => ({
    pattern,
    what: 'a config that Viaduct reads when it is started there',
  }));
  const files = commandFiles().flatMap(({ of, patterns }) =>
    patterns.map((pattern) => ({ pattern, what: `a file of ${of}, which may name commands` })),
  );
  return [...configs, ...files, ...VERSION_CONTROL];
}

/** Returns the names of configs in a folder; for `.viaduct/config.yaml` the folder, which holds nothing else. */
function namesOfConfigs(): string[] {
  const cwd = path.resolve('any');
  const candidates = configCandidates({ env: {}, cwd, home: path.resolve('home') }).map(({ path: place }) => place);
  const inFolder = candidates.filter((place) => place.startsWith(cwd + path.sep));
  return inFolder.map((place) => path.relative(cwd, place).split(path.sep)[0]!);
}

/** Files that the config names. Keys are not read; only the gateway writes the files that it writes. */
function filesOf(config: Config): ProtectedPath[] {
  const { server, log, audit } = config;
  const entries = entriesOf(config).map(filesOfEntry);
  const keys = [server.tls?.key, ...entries.map(({ key }) => key), ...entries.map(({ authKey }) => authKey)];
  const certificates = [server.tls?.cert, ...entries.flatMap(({ certificates: files }) => files)];
  return [
    ...pathsIn(keys).map((place) => ({ path: place, what: 'a private key that the config names', isSecret: true })),
    ...pathsIn(certificates).map((place) => ({ path: place, what: 'a certificate that the config names' })),
    ...pathsIn([log.file, ...filesOfAudit(audit)]).map((place) => ({
      path: place,
      what: 'a log that the gateway writes',
    })),
  ];
}

interface EntryFiles {
  readonly key: string | undefined;
  readonly authKey: string | undefined;
  readonly certificates: readonly (string | undefined)[];
}

function filesOfEntry(entry: UpstreamEntry): EntryFiles {
  if (entry.url === undefined) return { key: undefined, authKey: undefined, certificates: [] };
  const authKey = entry.auth?.type === 'private-key-jwt' ? entry.auth.key : undefined;
  return { key: entry.tls?.key, authKey, certificates: [entry.tls?.cert, entry.tls?.ca] };
}

/** The text of a certificate or a key may be in the place of its file. */
function pathsIn(values: readonly (string | undefined)[]): string[] {
  return values.filter((value): value is string => value !== undefined && !value.includes('-----BEGIN'));
}

/** Returns the audit's files, including those that were put aside. */
function filesOfAudit({ file, files }: Config['audit']): string[] {
  if (file === undefined) return [];
  const older = Array.from({ length: mostAuditFiles(files) }, (_none, index) => auditFileName(file, index + 1));
  return [file, `${file}.lock`, ...older];
}

/** Returns the program of an upstream, where its command is a path, and what files it is given: scripts, settings. */
function programsOf(entry: UpstreamEntry): ProtectedPath[] {
  if (entry.url !== undefined || entry.ports !== undefined) return [];
  const what = `a file that the upstream "${entry.key}" is started with`;
  const isPath = entry.command.includes('/') || entry.command.includes(path.sep);
  const program = isPath ? [liftable(what)(path.resolve(entry.cwd, entry.command))] : [];
  return [...program, ...wordsOf(entry).map((place) => ({ ...liftable(what)(place), onlyIfFile: true }))];
}

/** Returns the arguments and variables that may be paths of files, `--name=path` included. */
function wordsOf({ args, env, cwd }: StdioEntry): string[] {
  return [...args, ...Object.values(env)]
    .map((word) => word.replace(/^--?[\w-]{1,100}=/, ''))
    .filter((word) => word !== '' && word.length <= MAX_WORD && !word.includes('\0'))
    .map((word) => path.resolve(cwd, word));
}

const MAX_WORD = 1_024;

/** Returns the folders of `PATH`: a program put there could take the place of `node`, `git` or an upstream's command. */
function foldersOfPath(env: Environment): ProtectedPath[] {
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...new Set(folders)].map(liftable('a folder of PATH, in which programs are looked for'));
}
