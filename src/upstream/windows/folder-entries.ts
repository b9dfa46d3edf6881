import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from '../../wire/frame.ts';
import { readableAt } from '../../wire/lens.ts';
import type { HttpEndpoint } from '../transports/http/endpoint.ts';
import { askIdeWithin, type IdeAnswer } from '../transports/ide-rest/ask-ide.ts';
import type { IdeDialect } from '../transports/ide-rest/find-dialect.ts';

/** The contents of a folder; `undefined` for an entry whose type is unknown. */
export type FolderEntries = ReadonlyMap<string, 'directory' | 'file' | undefined>;

/** The information that the plug-in of a window gives about its open folder. */
export interface FolderClue {
  readonly entries: FolderEntries | undefined;
  /** The folder, where the plug-in names it in an error. */
  readonly folder: string | undefined;
}

interface Asking {
  readonly endpoint: HttpEndpoint;
  readonly ms: number;
}

const TOOL = 'list_files_in_folder';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Asks a plug-in that does not say which folder its window has open for the entries of that folder, with a tool that only
 * reads. ggMCP 1.3 names the whole path when a file is to be listed, so it is asked for one of the files too.
 * @returns `undefined` if the plug-in does not answer in time
 */
export async function askForFolder(window: IdeDialect, asking: Asking): Promise<FolderClue | undefined> {
  const root = await list('/', window, asking);
  if (root === undefined) return undefined;
  const entries = root.isError ? undefined : entriesIn(root.text);
  const file = [...(entries ?? [])].find(([, type]) => type === 'file')?.[0];
  if (entries === undefined || file === undefined) return { entries, folder: undefined };
  const refusal = await list(file, window, asking);
  if (refusal === undefined) return undefined;
  return { entries, folder: refusal.isError ? folderIn(refusal.text, file) : undefined };
}

interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

async function list(pathInProject: string, window: IdeDialect, asking: Asking): Promise<ToolAnswer | undefined> {
  const { endpoint, ms } = asking;
  const args = { pathInProject };
  const isRest = window.name === 'rest';
  const message = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: TOOL, arguments: args } };
  const answer = await askIdeWithin(ms, endpoint, {
    url: isRest ? `${window.url}/${TOOL}` : window.url,
    body: Buffer.from(JSON.stringify(isRest ? args : message)),
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (answer === undefined || isBrokenOff(answer)) return undefined;
  if (answer.kind !== 'json') return NO_LIST;
  return isRest ? restAnswer(answer.frame) : rpcAnswer(answer.frame);
}

const NO_LIST: ToolAnswer = { text: '', isError: true };

/** A plug-in without that question answers so; one of which nothing whole has come may have any folder open. */
export function isBrokenOff(answer: IdeAnswer): boolean {
  return answer.kind === 'unreachable' || (answer.kind === 'failed' && answer.failure.status === undefined);
}

function restAnswer({ text, outline }: Frame): ToolAnswer {
  const { status, error } = (readableAt(text, outline) ?? {}) as { status?: unknown; error?: unknown };
  if (typeof error === 'string') return { text: error, isError: true };
  return { text: typeof status === 'string' ? status : JSON.stringify(status ?? null), isError: false };
}

function rpcAnswer({ text, outline }: Frame): ToolAnswer {
  const { result } = (readableAt(text, outline) ?? {}) as { result?: { content?: unknown; isError?: unknown } | null };
  const [block] = Array.isArray(result?.content) ? (result.content as readonly { text?: unknown }[]) : [];
  if (typeof block?.text !== 'string') return NO_LIST;
  return { text: block.text, isError: result?.isError === true };
}

/** Returns the entries that a tool has listed: an array, or an object with one in it. */
function entriesIn(text: string): FolderEntries | undefined {
  const list = listIn(parsed(text));
  if (list === undefined) return undefined;
  const named = list.filter((entry): entry is { name: string; type?: unknown } => typeof entry?.name === 'string');
  return named.length === list.length ? new Map(named.map(({ name, type }) => [name, typeOf(type)])) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // words, and no list
  }
}

function listIn(value: unknown): readonly { name?: unknown }[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value).find((member) => Array.isArray(member));
}

function typeOf(type: unknown): 'directory' | 'file' | undefined {
  return type === 'directory' || type === 'file' ? type : undefined;
}

/** Returns the folder of a file that an error names with its whole path. */
function folderIn(error: string, file: string): string | undefined {
  const start = error.search(/\/|[A-Za-z]:[\\/]/);
  if (start === -1) return undefined;
  const end = ['/', '\\'].map((separator) => error.indexOf(separator + file, start)).find((at) => at !== -1);
  const folder = end === undefined ? undefined : error.slice(start, end) || '/';
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/**
 * Finds the folder with these entries: this one, or the nearest one above it. An empty folder counts only as itself.
 * @param folder a real path
 */
export async function folderWith(entries: FolderEntries, folder: string): Promise<string | undefined> {
  for (let one = folder; ; one = path.dirname(one)) {
    if (await hasEntries(one, entries)) return one;
    if (entries.size === 0 || path.dirname(one) === one) return undefined;
  }
}

async function hasEntries(folder: string, entries: FolderEntries): Promise<boolean> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (found?.length !== entries.size) return false;
  const said = new Map([...entries].map(([name, type]) => [name.normalize(), type]));
  return found.every((entry) => {
    const name = entry.name.normalize();
    const type = said.get(name);
    // Plug-ins do not agree on what a link is.
    const fits = type === undefined || entry.isSymbolicLink() || (type === 'directory') === entry.isDirectory();
    return said.has(name) && fits;
  });
}
