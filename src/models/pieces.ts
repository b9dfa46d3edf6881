import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';

/** Longest single piece of a stream, in characters. */
const LONGEST_PIECE = 4 * 1024 ** 2;

/** A piece of a stream is longer than any piece of an answer can be. */
export class PieceTooLong extends Error {
  constructor() {
    super(`a piece has more than ${LONGEST_PIECE} characters`);
    this.name = 'PieceTooLong';
  }
}

/**
 * Cuts a stream into its lines. Empty ones are left out; what follows the last line break is one too.
 * @throws PieceTooLong; what the stream throws
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Joined at the line break only: a line may come in a million parts.
  let open: string[] = [];
  let length = 0;
  for await (const text of textsOf(bytes)) {
    const [first, ...others] = text.split('\n') as [string, ...string[]];
    open.push(first);
    length += first.length;
    if (length > LONGEST_PIECE) throw new PieceTooLong();
    const rest = others.pop();
    if (rest === undefined) continue;
    for (const line of [open.join(''), ...others]) if (line.trim() !== '') yield line;
    open = [rest];
    length = rest.length;
  }
  const last = open.join('');
  if (last.trim() !== '') yield last;
}

/**
 * Gives the data of each server-sent event. One that has no empty line behind it counts too: some servers leave it out at
 * the end.
 * @throws PieceTooLong; what the stream throws
 */
export async function* eventsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const waiting: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: LONGEST_PIECE,
    onEvent: ({ data }) => void waiting.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const feed = (text: string) => {
    parser.feed(text);
    if (isTooLong) throw new PieceTooLong();
    return waiting.splice(0);
  };
  for await (const text of textsOf(bytes)) yield* feed(text);
  yield* feed('\n\n');
}

async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  for await (const piece of bytes) yield decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  const rest = decoder.end();
  if (rest !== '') yield rest;
}
