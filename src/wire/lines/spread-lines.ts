import { JsonTextError } from '../json-error.ts';
import { elementsOf, membersOf } from '../lens.ts';
import { PieceList } from '../output/piece-list.ts';
import type { Member } from '../scanning/outline.ts';
import { Remains } from './remains.ts';

export const NEWLINE = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The state of a text after a part of a line: it continues, it is complete, or the line does not belong to it. */
export type LineVerdict = 'open' | 'over' | 'refused';

export const isBlankByte = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === NEWLINE || byte === 0x0d;

/** The bytes that are kept of a text over several lines: its whole lines, and the beginning of the line that is being read. */
export class SpreadLines {
  readonly #whole = new PieceList();
  readonly #line = new PieceList();

  /** The whole lines. */
  get whole(): PieceList {
    return this.#whole;
  }

  /** True when the beginning of a line is kept. */
  get isLineBegun(): boolean {
    return this.#line.length > 0;
  }

  /** Adds whole lines, or the end of the line that was begun. */
  add(piece: Buffer): void {
    this.#whole.add(piece);
  }

  /** Adds a piece of a line that goes on. */
  addToLine(piece: Buffer): void {
    this.#line.add(piece);
  }

  /** The line that was begun belongs to the text. */
  endLine(): void {
    for (const piece of this.#line.take()) this.#whole.add(piece);
  }

  /** Returns the beginning of the line, and forgets it. */
  takeLine(): readonly Buffer[] {
    return this.#line.take();
  }

  /** Returns the whole lines, and forgets them. */
  take(): Buffer[] {
    return this.#whole.take();
  }

  /** Returns what to report of the whole lines, and forgets them. */
  takeRemains(): Remains {
    const remains = new Remains();
    for (const piece of this.#whole.take()) remains.add(piece);
    return remains;
  }

  /** Returns true when the line is a message by itself; `chunk` has the rest of it, from `from` to `to`. */
  isMessage(chunk: Buffer, from: number, to: number): boolean {
    if (this.#line.length === 0) return isMessage(chunk, from, to);
    const line = Buffer.concat([this.#line.joined(), chunk.subarray(from, to)]);
    return isMessage(line, 0, line.length);
  }
}

/** Returns true when a line by itself is what is taken for a message or a batch. */
function isMessage(text: Buffer, from: number, to: number): boolean {
  let [start, end] = [from, to];
  while (start < end && isBlankByte(text[start]!)) start++;
  while (start < end && isBlankByte(text[end - 1]!)) end--;
  const [first, last] = [text[start], text[end - 1]];
  if (end - start < 2) return false;
  try {
    if (first === OPEN_BRACE && last === CLOSE_BRACE)
      return isEnvelope(membersOf(text, { start, end }), start === from);
    if (first !== OPEN_BRACKET || last !== CLOSE_BRACKET) return false;
    const element = elementsOf(text, { start, end }, 1)[0];
    return element !== undefined && text[element.start] === OPEN_BRACE && isEnvelope(membersOf(text, element), false);
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

/** An answer without "jsonrpc" is taken too, but an indented one is more likely a part of the text around it. */
function isEnvelope(members: readonly Member[], isAtMargin: boolean): boolean {
  const has = (name: string) => members.some(({ key }) => key === name);
  return has('jsonrpc') || (isAtMargin && has('id') && (has('result') || has('error')));
}
