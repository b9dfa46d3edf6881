import type { ServerFile } from '../../agents/agents.ts';
import { childAt, plainValue, readJsonDocument } from '../../agents/files/json-document.ts';
import { removeMember, setMember } from '../../agents/files/json-edit.ts';
import { readToml, takeTables } from '../../agents/files/toml-tables.ts';
import type { RemovedServer } from './export-record.ts';

/** A text without some servers, and what is needed to put them back. */
export interface ServersTaken {
  readonly text: string;
  readonly removed: readonly RemovedServer[];
}

type Form = ServerFile['form'];

/**
 * The text of an agent's file without the servers at these paths.
 * @throws FileEditError where one is written in a way in which it cannot be taken out
 */
export function takeServers(text: string, form: Form, paths: readonly (readonly string[])[]): ServersTaken {
  const removed: RemovedServer[] = [];
  const rest = paths.reduce((before, path) => {
    const { text: after, value } = form === 'toml' ? takeTable(before, path) : takeMember(before, path);
    removed.push({ path: [...path], value });
    return after;
  }, text);
  return { text: rest, removed };
}

/** The text with those servers in it again that are in it no more; not where they were, but as they were. */
export function putServersBack(text: string, form: Form, removed: readonly RemovedServer[]): string {
  return removed.reduce((before, { path, value }) => {
    if (form === 'toml') return putTableBack(before, path, String(value));
    return childAt(readJsonDocument(before), path) === undefined ? setMember(before, path, value) : before;
  }, text);
}

function takeMember(text: string, path: readonly string[]): { readonly text: string; readonly value: unknown } {
  const child = childAt(readJsonDocument(text), path)!;
  return { text: removeMember(text, path), value: plainValue(child.node) };
}

function takeTable(text: string, path: readonly string[]): { readonly text: string; readonly value: unknown } {
  const [parent, name] = path as readonly [string, string];
  const { rest, taken } = takeTables(text, parent, name);
  return { text: rest, value: taken };
}

function putTableBack(text: string, [parent, name]: readonly string[], taken: string): string {
  const members = readToml(text)[parent!];
  if (typeof members === 'object' && Object.hasOwn(members, name!)) return text;
  const next = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${taken}`;
  readToml(next);
  return next;
}
