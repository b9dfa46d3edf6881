import type { EntryForm } from '../../agents/entry-form.ts';
import { childAt, plainValue, readJsonDocument } from '../../agents/files/json-document.ts';
import { removeMember, setMember } from '../../agents/files/json-edit.ts';
import { readToml } from '../../agents/files/toml-document.ts';
import { putTablesBack, takeTables } from '../../agents/files/toml-edit.ts';

/** A server that an export took out of a file. */
export interface RemovedServer {
  /** The keys that lead to the server. */
  readonly path: string[];
  /** The member's value in JSON; the text of its tables in TOML. */
  readonly value: unknown;
}

/** A text without some servers, and what is needed to put them back. */
export interface ServersTaken {
  readonly text: string;
  readonly removed: readonly RemovedServer[];
}

/**
 * Returns the text of an agent's file without the servers at these paths.
 * @throws FileEditError if one is written in a way in which it cannot be taken out
 */
export function takeServers(text: string, form: EntryForm, paths: readonly (readonly string[])[]): ServersTaken {
  const removed: RemovedServer[] = [];
  const rest = paths.reduce((before, path) => {
    const { text: after, value } = form === 'toml' ? takeTable(before, path) : takeMember(before, path);
    removed.push({ path: [...path], value });
    return after;
  }, text);
  return { text: rest, removed };
}

/** Returns the text with those servers in it again that are missing: at the end of the list, as they were. */
export function putServersBack(text: string, form: EntryForm, removed: readonly RemovedServer[]): string {
  return removed.reduce((before, { path, value }) => {
    if (form === 'toml') return putTableBack(before, path, String(value));
    return isThere(before, form, path) ? before : setMember(before, path, value);
  }, text);
}

function takeMember(text: string, path: readonly string[]): { readonly text: string; readonly value: unknown } {
  const child = childAt(readJsonDocument(text), path)!;
  return { text: removeMember(text, path), value: plainValue(child.node) };
}

function takeTable(text: string, path: readonly string[]): { readonly text: string; readonly value: unknown } {
  const { rest, taken } = takeTables(text, path as readonly [string, string]);
  return { text: rest, value: taken };
}

function putTableBack(text: string, path: readonly string[], taken: string): string {
  return isThere(text, 'toml', path) ? text : putTablesBack(text, taken);
}

/** Returns whether an agent's file has a server at this path. */
export function isThere(text: string, form: EntryForm, path: readonly string[]): boolean {
  if (form !== 'toml') return text.trim() !== '' && childAt(readJsonDocument(text), path) !== undefined;
  const [parent, name] = path as readonly [string, string];
  const members = readToml(text)[parent];
  return typeof members === 'object' && Object.hasOwn(members, name);
}
