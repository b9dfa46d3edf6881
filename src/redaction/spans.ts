import { redactionMark } from './redactions.ts';

/** A part of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Yields where a pattern with the flag `g` matches. */
export function* spansOf(pattern: RegExp, text: string): Generator<Span> {
  for (const { 0: found, index } of text.matchAll(pattern)) yield { start: index, end: index + found.length };
}

/** Returns the text with marks of this kind in the place of the spans, which are in order. */
export function withMarks(text: string, spans: Iterable<Span>, kind: string, onFound: (kind: string) => void): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  for (const { start, end } of spans) {
    onFound(kind);
    pieces.push(text.slice(copiedTo, start), redactionMark(kind));
    copiedTo = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo);
}
