import { createReadStream } from 'node:fs';

const LINE_END = 0x0a;

export interface NumberedLine {
  /** 1 for the first. */
  readonly number: number;
  /** `undefined` for a line over the limit. */
  readonly text: string | undefined;
}

/** Returns the lines of a file, of which never more than a piece and one line are held. @throws the system's error */
export async function* readLines(file: string, maxBytes: number): AsyncGenerator<NumberedLine> {
  let number = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  const hold = (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) pieces = [];
    else pieces.push(piece);
  };
  const take = (): NumberedLine => {
    const text = length > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    number++;
    // Editors on Windows begin a file with a byte order mark.
    return { number, text: number === 1 ? text?.replace(/^\uFEFF/, '') : text };
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      hold(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
