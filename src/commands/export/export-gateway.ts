import path from 'node:path';
import type { ServerFile } from '../../agents/entry-form.ts';
import { FileEditError } from '../../agents/files/text-edits.ts';
import { addEntry, emptyText, type GatewayEntry, hasEntry, removeEntry } from '../../agents/gateway-entry.ts';
import type { ServerListAgent } from '../../agents/server-files.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { readAgentText } from '../server-lists/read-agent-text.ts';
import { type EditOutcome, editFile } from '../user-files/edit-file.ts';
import { shownDiff } from '../user-files/shown-diff.ts';
import { type AgentFilePlace, agentFile, ExportError, type ExportScope } from './agent-file.ts';
import { agentSecrets } from './agent-secrets.ts';
import {
  dropRecord,
  type ExportChange,
  hashOf,
  keepRecord,
  readBackup,
  readRecord,
  takeBackRecord,
} from './export-record.ts';
import { type KeptServer, type Replaceable, replaceableServers } from './replaceable-servers.ts';
import { putServersBack, takeServers } from './take-servers.ts';

export { ExportError, type ExportScope };

export interface ExportRequest extends AgentFilePlace {
  readonly agent: ServerListAgent;
  readonly scope: ExportScope;
}

export interface NewEntry {
  readonly entry: GatewayEntry;
  /** The config that the gateway runs with. */
  readonly configPath: string;
  readonly ownScript: string | undefined;
  /** Removes the servers that the config has as well. */
  readonly isReplacing: boolean;
}

/** A change of an agent's file, not made yet. */
export interface PreparedChange {
  readonly file: string;
  readonly before: string | undefined;
  /** `undefined` means no file. */
  readonly after: string | undefined;
  /** Their difference, without secrets. */
  readonly diff: readonly string[];
}

export interface PreparedExport extends PreparedChange {
  readonly change: ExportChange;
  /** Servers that stay although others are removed, and why. */
  readonly kept: readonly KeptServer[];
  /** Servers that could be removed, but are not. */
  readonly doubled: readonly string[];
}

/**
 * Works out an agent's file with our entry in it. Writes nothing.
 * @throws ExportError, ConfigError, AgentFileError, which name the file and what is wrong
 */
export async function prepareExport(request: ExportRequest, options: NewEntry): Promise<PreparedExport> {
  const place = agentFile(request.agent, request.scope, request);
  checkEntry(request.agent, options.entry);
  const before = await readAgentText(place.file);
  const { paths, kept } = await replaceableIn(place.file, request, options);
  const taken = options.isReplacing ? paths : [];
  const { text: after, removed } = editing(place.file, () =>
    takeServers(addEntry(before, place.form, options.entry), place.form, taken),
  );
  const hadEntry = before !== undefined && hasEntry(before, place.form);
  return {
    ...prepared(place, before, after),
    change: { ...place, before, after, removed, hadEntry },
    kept: options.isReplacing ? kept : [],
    doubled: options.isReplacing ? [] : paths.map((path) => path.at(-1)!),
  };
}

function checkEntry({ title, servers }: ServerListAgent, entry: GatewayEntry): void {
  if ('url' in entry && !servers.hasUrls) throw new ExportError(`${title} only starts programs: leave out --http`);
}

/** Finds what can be replaced. If nothing is to be removed, this only gives a hint, so errors do not matter. */
async function replaceableIn(file: string, request: ExportRequest, options: NewEntry): Promise<Replaceable> {
  const search = replaceableServers(request, { ...options, file });
  return options.isReplacing ? search : search.catch(() => ({ paths: [], kept: [] }));
}

/** Writes the file, and keeps what was there. */
export async function writeExport(
  { file, before, after, change }: PreparedExport,
  env: ExportRequest['env'],
): Promise<string | undefined> {
  const home = homeFolder(env);
  const kept = await keepRecord(home, change);
  try {
    await writeChange({ file, before, after });
  } catch (error) {
    await takeBackRecord(home, file, kept);
    throw error;
  }
  return kept.backup;
}

/**
 * Works out an agent's file without what an export has put into it: as it was, if it has not changed since; else
 * without our entry, and with the servers that were taken out.
 * @throws ExportError, ConfigError
 */
export async function prepareUndo(request: ExportRequest): Promise<PreparedChange> {
  const place = agentFile(request.agent, request.scope, request);
  const home = homeFolder(request.env);
  const before = await readAgentText(place.file);
  if (before === undefined) return prepared(place, before, before);
  const record = await readRecord(home, place.file);
  if (record?.isExact === true && hashOf(before) === record.written) {
    if (!record.existed) return prepared(place, before, undefined);
    const original = await readBackup(home, place.file);
    if (original !== undefined) return prepared(place, before, original);
  }
  const after = editing(place.file, () => {
    const rest = removeEntry(before, place.form, { keepsList: record?.hadList === true });
    const removed = record?.removed ?? [];
    if (rest === undefined && removed.length === 0 && record?.existed !== true) return undefined;
    return putServersBack(rest ?? emptyText(place.form, before), place.form, removed);
  });
  return prepared(place, before, after);
}

/** Writes the file as it is without the export. */
export async function writeUndo(change: PreparedChange, env: ExportRequest['env']): Promise<EditOutcome> {
  const outcome = await writeChange(change);
  await dropRecord(homeFolder(env), change.file);
  return outcome;
}

async function writeChange({
  file,
  before,
  after,
}: Pick<PreparedChange, 'file' | 'before' | 'after'>): Promise<EditOutcome> {
  const write = (present: string | undefined): string | undefined => {
    if (present !== before) throw new ExportError(`${file} has changed in the meantime; nothing was written`);
    return after;
  };
  return editFile(file, write, path.basename(file) === '.mcp.json' ? 0o644 : 0o600);
}

function prepared({ file }: ServerFile, before: string | undefined, after: string | undefined): PreparedChange {
  const secrets = [before, after].flatMap((text) => (text === undefined ? [] : agentSecrets(text, file)));
  return { file, before, after, diff: shownDiff(before ?? '', after ?? '', secrets) };
}

/** Runs an edit, and adds the name of the file to its error. */
function editing<T>(file: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (error instanceof FileEditError) throw new ExportError(`${file}: ${error.message}. Nothing was written`);
    throw error;
  }
}
