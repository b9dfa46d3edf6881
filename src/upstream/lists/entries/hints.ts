import type { UpstreamEntry } from '../../../core/settings/upstream-entry.ts';
import { edit } from '../../../wire/edits/call-text.ts';
import type { Edit } from '../../../wire/frame.ts';
import { lastMember, membersOf, rawText } from '../../../wire/lens.ts';
import type { Member } from '../../../wire/scanning/outline.ts';
import type { EntryTransform } from './entry-reader.ts';

/** Words of a tool's name (`XcodeListWindows`, `GetBuildLog`, `StringCatalogRead`) that say it reads and nothing else. */
const READING_FIRST = new Set(['get', 'list', 'read', 'ls', 'glob', 'grep', 'find', 'search', 'refresh']);
const READING_LAST = new Set(['read', 'search', 'context', 'planner']);
/** Words that say it adds something and takes nothing away. */
const ADDING_FIRST = new Set(['make', 'new', 'add', 'open', 'create']);
/** Words that say it may overwrite, remove, or run code of the caller's. */
const DESTROYING = new Set(['write', 'update', 'mv', 'move', 'rm', 'remove', 'delete', 'edit', 'execute', 'invoke']);

export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
}

/**
 * Returns the hints that a tool's name gives about its effect (seed 004, "Safety Policy"). If the name says nothing,
 * the tool counts as not read-only, and whether it destroys is left to the specification's default, which is "may".
 */
export function hintsFor(toolName: string): Hints {
  const words = wordsOf(toolName);
  const first = words[0] ?? '';
  const last = words.at(-1) ?? '';
  if (words.some((word) => DESTROYING.has(word)) || (first === 'run' && last === 'snippet')) {
    return { readOnlyHint: false, destructiveHint: true };
  }
  if (READING_FIRST.has(first) || READING_LAST.has(last)) return { readOnlyHint: true, destructiveHint: false };
  return ADDING_FIRST.has(first) ? { readOnlyHint: false, destructiveHint: false } : { readOnlyHint: false };
}

/** Returns what adds hints to the tools of an entry; `undefined` if the entry does not ask for it. */
export function hintTransform({ inferHints }: Pick<UpstreamEntry, 'inferHints'>): EntryTransform | undefined {
  return inferHints ? addHints : undefined;
}

/** `XcodeLS` → `ls`; `XcodeListWindows` → `list`, `windows`. The product's own name says nothing. */
function wordsOf(toolName: string): string[] {
  const words = toolName.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
  return words.map((word) => word.toLowerCase()).filter((word, index) => index > 0 || word !== 'xcode');
}

/** Adds the hints that a tool does not give itself; what it says stands. */
export function addHints(toolName: string, text: Buffer, members: readonly Member[]): readonly Edit[] {
  const hints = Object.entries(hintsFor(toolName)) as [string, boolean][];
  const annotations = lastMember(members, 'annotations');
  if (annotations === undefined) {
    const end = members.at(-1)!.end;
    return [edit({ start: end, end }, `,"annotations":${JSON.stringify(Object.fromEntries(hints))}`)];
  }
  const given = membersOf(text, annotations);
  const missing = hints.filter(
    ([key, value]) => lastMember(given, key) === undefined && !(value && contradicts(text, given, key)),
  );
  // A tool that says it is read-only says enough; we never contradict it.
  if (missing.length === 0 || lastMember(given, 'readOnlyHint') !== undefined) return [];
  const start = annotations.start + 1;
  const added = missing.map(([key, value]) => `"${key}":${value}`).join(',');
  return [edit({ start, end: start }, given.length === 0 ? added : `${added},`)];
}

/** A tool that says it destroys is not called read-only, regardless of its name. */
function contradicts(text: Buffer, given: readonly Member[], key: string): boolean {
  const destroys = lastMember(given, 'destructiveHint');
  return key === 'readOnlyHint' && destroys !== undefined && rawText(text, destroys) === 'true';
}
