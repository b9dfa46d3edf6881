import { isDeepStrictEqual } from 'node:util';
import type { TomlTable } from 'smol-toml';
import {
  applyEdits,
  blanksEnd,
  breakAt,
  breakBefore,
  FileEditError,
  lineEndOf,
  lineStartOf,
  type TextEdit,
  type TextRange,
} from './text-edits.ts';
import { layoutOfToml, readToml, type TablePath, type TomlLayout } from './toml-document.ts';

/** Comments that Viaduct wrote around its table once. Other programs move the second one to the end of the file. */
const OLD_MARKS: ReadonlySet<string> = new Set(['# viaduct:begin', '# viaduct:end']);

/**
 * Returns the TOML text with this table of ours: in the place of the one that is there, else at the end. Everything else stays as
 * it is, comments in the old table too.
 * @param lines what the table has
 * @throws FileEditError if the text is not TOML, or if something else would change
 */
export function setTable(text: string, path: TablePath, lines: readonly string[]): string {
  const layout = layoutOfToml(text, path);
  const eol = lineEndOf(text);
  const block = [`[${path.join('.')}]`, ...lines].join('\n');
  const [part, ...others] = layout.parts;
  if (others.length > 0 || part?.isWhole === false) throw notATable(path);
  const table = block.replaceAll('\n', eol);
  const next =
    part === undefined ? text + gapBehind(text, eol) + table + eol : applyEdits(text, replacing(text, layout, table));
  const expected = readToml(text);
  const value = (readToml(block)[path[0]] as TomlTable)[path[1]]!;
  expected[path[0]] = { ...(expected[path[0]] as TomlTable | undefined), [path[1]]: value };
  return verified(next, expected, path);
}

/** An empty line is before the table, unless the file begins with it. */
function gapBehind(text: string, eol: string): string {
  if (lineStartOf(text, text.length) === text.length) return text === '' || text === '\uFEFF' ? '' : eol;
  return eol + eol;
}

function replacing(text: string, layout: TomlLayout, table: string): TextEdit[] {
  const [part] = layout.parts;
  const eol = lineEndOf(text);
  const comments = commentsIn(text, layout, part!).map((comment) => comment + eol);
  return [
    { start: part!.start, end: part!.end, text: comments.join('') + table },
    ...oldMarks(text, layout).map((range) => ({ ...linesOf(text, range), text: '' })),
  ];
}

/**
 * Returns the TOML text without a table of ours, and without the tables below it. All comments stay.
 * @throws FileEditError if the text is not TOML, if the entry is not a table of its own, or if something else would change
 */
export function removeTable(text: string, path: TablePath): string {
  const layout = layoutOfToml(text, path);
  const marks = oldMarks(text, layout).map((range) => linesOf(text, range));
  const edits = layout.parts.map((part): TextEdit => {
    const comments = commentsIn(text, layout, part);
    const isAlone = breakAt(text, blanksEnd(text, part.end)) !== undefined;
    if (comments.length === 0 && isAlone) return { ...linesOf(text, part), text: '' };
    // A comment behind the last value stays, on a line of its own.
    const end = isAlone ? part.end : blanksEnd(text, part.end);
    const eol = lineEndOf(text);
    return { start: part.start, end, text: comments.join(eol) + (isAlone || comments.length === 0 ? '' : eol) };
  });
  const next = applyEdits(text, withGapsBefore(text, [...edits, ...marks.map((range) => ({ ...range, text: '' }))]));
  const expected = readToml(text);
  const members = expected[path[0]];
  if (isTable(members)) delete members[path[1]];
  return verified(next, expected, path);
}

/** Tables that are next to each other are removed together with the empty line before them. */
function withGapsBefore(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const ends = new Set(edits.map(({ end }) => end));
  return edits.map((edit) => {
    const isLines = edit.text === '' && edit.start === lineStartOf(text, edit.start) && !ends.has(edit.start);
    const before = isLines ? breakBefore(text, edit.start) : edit.start;
    return before === lineStartOf(text, before) && !isOldEnd(text, edit) ? { ...edit, start: before } : edit;
  });
}

/** The mark at the end, where others have put something before it. */
function isOldEnd(text: string, { start, end }: TextRange): boolean {
  return text.slice(start, end).trim() === '# viaduct:end';
}

/** A text, and what was taken out of it. */
export interface TakenOut {
  readonly rest: string;
  readonly taken: string;
}

/**
 * Returns the text without the tables of an entry, `[parent.name]` and those below it, with the comments in them and the empty
 * lines behind them.
 * @throws FileEditError if the entry is written in another way, or the text is not TOML
 */
export function takeTables(text: string, path: TablePath): TakenOut {
  const ranges = layoutOfToml(text, path).parts.map((part) => withEmptyLines(text, linesOf(text, part)));
  const rest = applyEdits(
    text,
    ranges.map((range) => ({ ...range, text: '' })),
  );
  const taken = ranges.map(({ start, end }) => text.slice(start, end)).join('');
  const expected = readToml(text);
  const members = expected[path[0]];
  if (isTable(members)) delete members[path[1]];
  return { rest: verified(rest, expected, path), taken };
}

/** Returns the text with tables at its end that were taken out of it. */
export function putTablesBack(text: string, taken: string): string {
  const isNewLine = lineStartOf(text, text.length) === text.length;
  const next = text + (isNewLine ? '' : lineEndOf(text)) + taken;
  readToml(next);
  return next;
}

/** Returns the whole lines of a part, with what is behind it on the last one. */
function linesOf(text: string, { start, end }: TextRange): TextRange {
  const next = text.indexOf('\n', end);
  return { start: lineStartOf(text, start), end: next === -1 ? text.length : next + 1 };
}

function withEmptyLines(text: string, { start, end }: TextRange): TextRange {
  let behind = end;
  for (;;) {
    const lineEnd = blanksEnd(text, behind);
    const lineBreak = breakAt(text, lineEnd);
    if (lineBreak === undefined || lineBreak === '') return { start, end: behind };
    behind = lineEnd + lineBreak.length;
  }
}

function commentsIn(text: string, { comments }: TomlLayout, { start, end }: TextRange): string[] {
  const inside = comments.filter((comment) => comment.start >= start && comment.end <= end);
  return inside.map((comment) => text.slice(comment.start, comment.end)).filter((comment) => !OLD_MARKS.has(comment));
}

/** Returns our old marks that have a line of their own. */
function oldMarks(text: string, { comments }: TomlLayout): TextRange[] {
  return comments.filter(
    ({ start, end }) => OLD_MARKS.has(text.slice(start, end)) && lineStartOf(text, start) === start,
  );
}

/**
 * Returns the text, if it has these values. The parent of an entry may be missing where it is empty.
 * @throws FileEditError otherwise
 */
function verified(text: string, expected: TomlTable, path: TablePath): string {
  let value: TomlTable | undefined;
  try {
    value = readToml(text);
  } catch (error) {
    if (!(error instanceof FileEditError)) throw error;
  }
  if (value === undefined || !isDeepStrictEqual(withoutEmpty(value, path), withoutEmpty(expected, path))) {
    throw notATable(path);
  }
  return text;
}

function notATable([parent, name]: TablePath): FileEditError {
  const header = `[${parent}.${name}]`;
  return new FileEditError(
    `its server ${JSON.stringify(name)} is not written as one table ${header}, or has no place for one: edit it by hand`,
  );
}

function withoutEmpty(root: TomlTable, [parent]: TablePath): TomlTable {
  const { [parent]: members, ...others } = root;
  return members === undefined || (isTable(members) && Object.keys(members).length === 0) ? others : root;
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
