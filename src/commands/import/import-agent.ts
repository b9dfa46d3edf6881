import type { ServerListAgent } from '../../agents/server-files.ts';
import { ConfigError } from '../../config/findings/config-error.ts';
import { isMapping, valueAt } from '../../config/findings/finding.ts';
import { parseConfig } from '../../config/load.ts';
import { MISSING } from '../../config/source/missing-config.ts';
import { readYaml } from '../../config/yaml/yaml-document.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { configModel, loadOptions } from '../../gateway/settings/load-settings.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { noConfig, searchConfig } from '../../gateway/trust/locate-config.ts';
import { type ConfigNotice, noticeOf } from '../../gateway/trust/notices.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { configText } from '../server-lists/config-text.ts';
import { type ImportPlan, type PlannedEntry, planImport } from '../server-lists/import-plan.ts';
import { type AgentReading, readAgentServers } from '../server-lists/read-agent.ts';
import { backUp } from '../user-files/back-up.ts';
import { editConfig } from '../user-files/edit-config.ts';
import { shownDiff } from '../user-files/shown-diff.ts';
import { addEntries } from './add-entries.ts';

export interface ImportRequest {
  readonly agent: ServerListAgent;
  /** Only this file, instead of all files of the agent. */
  readonly file: string | undefined;
  /** The config that the user names. */
  readonly config: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
  /** The file of this program. */
  readonly ownScript: string | undefined;
  readonly keepSecrets: boolean;
}

/** The config that an import changes. */
interface ConfigToChange {
  readonly configPath: string;
  /** The text of the config; `undefined` if there is none yet. */
  readonly before: string | undefined;
  /** Configs in the working folder that are not used. */
  readonly notices: readonly ConfigNotice[];
}

/** The result of planning an import. */
export interface PreparedImport extends ConfigToChange {
  readonly reading: AgentReading;
  readonly plan: ImportPlan;
  readonly after: string;
  /** Their difference, without secrets. */
  readonly diff: readonly string[];
}

/**
 * Reads an agent's servers and works out the config with them in it. Writes nothing.
 * @throws ConfigError if the config, or a file of the agent, cannot be used; AgentFileError
 */
export async function prepareImport(request: ImportRequest): Promise<PreparedImport> {
  const { env, ownScript, keepSecrets } = request;
  const { configPath, before, notices } = await configToChange(request.config, env);
  const config = before === undefined ? undefined : parseConfig(before, { ...loadOptions(env), path: configPath });
  const reading = await readAgentServers({ ...request, configPath });
  const plan = planImport(reading.servers, {
    ...loadOptions(env),
    configPath,
    ownScript,
    ownPort: config?.server.port,
    present: entriesOf(before ?? ''),
    keepSecrets,
  });
  const added = plan.entries.filter(isAdded);
  const after = withEntries(before, added);
  parseConfig(after, { ...loadOptions(env), path: configPath });
  return { configPath, notices, reading, plan, before, after, diff: diffOf(before, added) };
}

/** Returns the difference. What the config already has is masked; in new entries only secrets are, because commands must be visible. */
function diffOf(before: string | undefined, added: readonly PlannedEntry[]): string[] {
  const after = withEntries(
    before,
    added.map((entry) => ({ ...entry, value: entry.shown })),
  );
  if (before === undefined) return shownDiff('', after);
  const bom = BOM.exec(before)?.[0] ?? '';
  const masked = bom + readYaml(before.slice(bom.length)).masked(configModel().secretNames);
  const [head, tail] = commonEnds(before, after);
  const inserted = after.slice(head, after.length - tail);
  return shownDiff(masked, masked.slice(0, head) + inserted + masked.slice(masked.length - tail));
}

/** Returns the lengths of the common beginning and the common end of two texts. */
function commonEnds(a: string, b: string): [head: number, tail: number] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [head, tail];
}

/** Returns whether an entry is added to the config. */
export function isAdded({ obstacle, isPresent }: PlannedEntry): boolean {
  return obstacle === undefined && !isPresent;
}

/**
 * Writes the config, all of it or nothing, and keeps the text that was there.
 * @returns where that text is kept, if there was any
 */
export async function writeImport(
  { configPath, before, after }: PreparedImport,
  env: Environment,
): Promise<string | undefined> {
  const backup = before === undefined ? undefined : await backUp(homeFolder(env), configPath, before);
  const write = (present: string | undefined): string => {
    if (present !== before) throw new Error(`${configPath} has changed in the meantime; nothing was written`);
    return after;
  };
  await editConfig(configPath, env, write);
  return backup;
}

const BOM = /^\uFEFF/;

function withEntries(text: string | undefined, entries: readonly PlannedEntry[]): string {
  if (text === undefined) return configText(WORKFLOWS, entries);
  const bom = BOM.exec(text)?.[0] ?? '';
  return bom + addEntries(text.slice(bom.length), entries);
}

function entriesOf(text: string): Readonly<Record<string, unknown>> {
  const upstreams = valueAt(readYaml(text.replace(BOM, '')).value, ['upstreams']);
  return isMapping(upstreams) ? upstreams : {};
}

/** Reads the config that is named, or found; else takes the one that `viaduct init` would write. */
async function configToChange(flag: string | undefined, env: Environment): Promise<ConfigToChange> {
  const isNew = (configPath: string) => ({ configPath, before: undefined, notices: [] });
  try {
    const found = await searchConfig(flag, env);
    if (found.found) {
      const { file, passedOver } = found;
      return { configPath: file.path, before: file.text, notices: passedOver.map(noticeOf) };
    }
    // It must not be written into, and the user has no other one yet.
    if (found.passedOver.length > 0) throw noConfig(found);
    return isNew(found.tried[0]!);
  } catch (error) {
    if (error instanceof ConfigError && error.issues[0]?.message === MISSING) return isNew(error.path);
    throw error;
  }
}
