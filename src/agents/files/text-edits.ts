import { trimmedEnd } from '../../core/text/trimmed.ts';

/** An agent's file that cannot be edited without changing more than our entry. The message says why and quotes no value. */
export class FileEditError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileEditError';
  }
}

/** A part of a text, from `start` up to `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a text and what replaces it. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** Returns the text with all edits made. Parts that overlap are removed once. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = Math.max(at, edit.end);
  }
  return pieces.join('') + text.slice(at);
}

/** Returns the line end that most lines of a text have. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  return (text.split('\r\n').length - 1) * 2 > all ? '\r\n' : '\n';
}

/** Returns a text of ours with the line ends of another text. */
export function withLineEndsOf(text: string, like: string): string {
  return lineEndOf(like) === '\r\n' ? text.replaceAll('\n', '\r\n') : text;
}

const BLANKS = /[ \t]*/y;
const LINE_END = /\r?\n|$/y;

/** Returns the start of the line of a position, after a byte order mark. */
export function lineStartOf(text: string, at: number): number {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? 1 : start;
}

/** Returns the start of the line break before the line that begins at `lineStart`. */
export function breakBefore(text: string, lineStart: number): number {
  if (text[lineStart - 1] !== '\n') return lineStart;
  return lineStart - (text[lineStart - 2] === '\r' ? 2 : 1);
}

/** Returns the end of the blanks that begin at a position. */
export function blanksEnd(text: string, at: number): number {
  BLANKS.lastIndex = at;
  return at + BLANKS.exec(text)![0].length;
}

/** Returns the line break at a position; empty at the end of the text, and `undefined` if anything else is. */
export function breakAt(text: string, at: number): string | undefined {
  LINE_END.lastIndex = at;
  return LINE_END.exec(text)?.[0];
}

/**
 * Returns the edit that takes a part out of a text. A part that is alone on its lines goes with them. Otherwise all line breaks
 * stay, so that a line comment before the part takes in nothing of what follows.
 * @param comments the comments in the part, which are not ours and stay
 */
export function cutting(text: string, { start, end }: TextRange, comments: readonly string[]): TextEdit {
  const lineStart = lineStartOf(text, start);
  const blanks = lineStart + trimmedEnd(text.slice(lineStart, start), ' \t').length;
  const blanksBehind = blanksEnd(text, end);
  const isFirst = blanks === lineStart;
  const isLast = breakAt(text, blanksBehind) !== undefined;
  if (comments.length > 0) {
    const newLine = lineEndOf(text) + (isFirst ? text.slice(lineStart, start) : '');
    return { start, end: isLast ? end : blanksBehind, text: comments.join(newLine) + (isLast ? '' : newLine) };
  }
  if (isFirst && isLast) return { start: breakBefore(text, lineStart), end: blanksBehind, text: '' };
  return isFirst ? { start, end: blanksBehind, text: '' } : { start: blanks, end, text: '' };
}
