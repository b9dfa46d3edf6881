import { createScanner } from 'jsonc-parser';
import { type ForeignEdit, freshName, placeOf } from './edits.ts';

export const JSON_EDITS = ['line comment', 'block comment', 'line break', 'first child', 'last child'] as const;
export type JsonEdit = ForeignEdit<(typeof JSON_EDITS)[number]>;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// Kinds of tokens of the scanner, whose enum cannot be imported.
const END_OF_TEXT = 17;
const COMMENTS: readonly number[] = [12, 13];

function scan(text: string, isWanted: (kind: number) => boolean): Token[] {
  const scanner = createScanner(text.replace(/^\uFEFF/, ' '));
  const tokens: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== END_OF_TEXT; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (isWanted(kind)) tokens.push({ text: text.slice(start, end), start, end });
  }
  return tokens;
}

const tokensIn = (text: string): Token[] => scan(text, (kind) => kind <= 11);

/** The comments in a JSON text as they are written, sorted. */
export function jsonComments(text: string): string[] {
  return scan(text, (kind) => COMMENTS.includes(kind))
    .map((token) => token.text)
    .sort();
}

/** A JSON text after edits of another program, which knows the format and not our entry. */
export function editJson(text: string, edits: readonly JsonEdit[], eol: string): string {
  return edits.reduce((result, edit) => applyOne(result, edit, eol), text);
}

function applyOne(text: string, edit: JsonEdit, eol: string): string {
  const tokens = tokensIn(text);
  const put = (at: number, piece: string): string => text.slice(0, at) + piece + text.slice(at);
  const name = freshName();
  if (edit.kind === 'first child' || edit.kind === 'last child') {
    const isFirst = edit.kind === 'first child';
    const brackets = tokens.filter((token) => (isFirst ? '{[' : '}]').includes(token.text));
    const bracket = placeOf(brackets, edit)!;
    const next = tokens[tokens.indexOf(bracket) + (isFirst ? 1 : -1)]!;
    const isObject = '{}'.includes(bracket.text);
    // Spelled as no program of ours spells it.
    const child = isObject ? `"${name}" :  1.50` : `"\\u0041${name}"`;
    if (isFirst) return put(bracket.end, '}]'.includes(next.text) ? child : ` ${child} ,`);
    return put(next.end, '{[,'.includes(next.text) ? child : `, ${child}`);
  }
  const token = placeOf(tokens, edit)!;
  const piece = { 'line comment': `// ${name}${eol}`, 'block comment': ` /* ${name} */`, 'line break': eol }[edit.kind];
  // Behind a token and before what follows it on its line, or before the token.
  return put(edit.where * 1_000 - Math.floor(edit.where * 1_000) < 0.5 ? token.end : token.start, piece);
}
