import type { WorkTurns } from '../../../core/timing/work-turns.ts';
import { elementsOf, lastMember, membersOf, typeOfByte } from '../../../wire/lens.ts';
import { pastWhitespace } from '../../../wire/scanning/characters.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';
import { JsonScanner } from '../../../wire/scanning/scanner.ts';
import type { PageEntry, RecalledList, RememberedReading } from './entry-memory.ts';

/** The bytes of a page that are scanned before it is asked whether other work should have a turn. */
const SLICE_BYTES = 128 * 1024;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;

/** The result of a list request. It is JSON: it was scanned when it came. */
export interface PageResult {
  readonly text: Buffer;
  readonly result: Span;
  /** The member that has the list. */
  readonly member: string;
  /** The number of entries after which no more are looked for. */
  readonly maxEntries: number;
}

/** The parts of a page. */
export interface ListLayout {
  readonly entries: readonly PageEntry[];
  /** The members of the result, as spans of `rest`; the list may be empty there. */
  readonly members: readonly Member[];
  readonly rest: Buffer;
}

/**
 * Finds the entries of a page and the other members of its result. What is known of the list is compared, not scanned; the
 * rest is scanned once, in turns.
 * @returns `undefined` if there is no list
 */
export async function layoutOf(
  page: PageResult,
  reading: RememberedReading,
  turns: WorkTurns,
): Promise<ListLayout | undefined> {
  const start = likelyStart(page);
  if (start === undefined) return wholeLayout(page);
  const list = reading.recall(page.text, start) ?? (await scannedList(page, start, turns));
  return (list && layoutAround(page, start, list)) ?? wholeLayout(page);
}

/** Returns where the list seems to begin: it may be a member of the same name further inside. */
function likelyStart({ text, result, member }: PageResult): number | undefined {
  const key = JSON.stringify(member);
  const found = text.indexOf(key, result.start, 'latin1');
  if (found === -1) return undefined;
  const colon = pastWhitespace(text, found + key.length);
  const start = pastWhitespace(text, colon + 1);
  return text[colon] === COLON && text[start] === OPEN_BRACKET && start < result.end ? start : undefined;
}

/** Returns `undefined` if there are too many entries. */
async function scannedList(
  { text, result, maxEntries }: PageResult,
  start: number,
  turns: WorkTurns,
): Promise<RecalledList | undefined> {
  const scanner = new JsonScanner();
  scanner.reset(start);
  for (let from = start; from < result.end; from += SLICE_BYTES) {
    const end = scanner.pushValue(text, from, Math.min(from + SLICE_BYTES, result.end));
    if (scanner.parts.length > maxEntries) return undefined;
    if (scanner.isDone) return { entries: scanner.parts, end };
    if (turns.isOver) await turns.pass();
  }
  return undefined;
}

/** Returns the layout of the page if the list is what its result has under that name; `undefined` if not. */
function layoutAround(
  { text, result, member }: PageResult,
  start: number,
  { entries, end }: RecalledList,
): ListLayout | undefined {
  // Without the entries, it has the members that it has with them.
  const rest = Buffer.concat([text.subarray(result.start, start + 1), text.subarray(end - 1, result.end)]);
  const members = membersOf(rest);
  const isList = lastMember(members, member)?.start === start - result.start;
  return isList ? { entries, members, rest } : undefined;
}

function wholeLayout({ text, result, member, maxEntries }: PageResult): ListLayout | undefined {
  const members = membersOf(text, result);
  const list = lastMember(members, member);
  if (list === undefined || typeOfByte(text[list.start]) !== 'array') return undefined;
  return { entries: elementsOf(text, list, maxEntries), members, rest: text };
}
