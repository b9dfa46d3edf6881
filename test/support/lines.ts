import type { Readable } from 'node:stream';

/** Gives the lines of a stream as they arrive, in linear time however they are cut. What follows the last one is not given. */
export function onLines(input: Readable, onLine: (text: string) => void): void {
  let pieces: Buffer[] = [];
  input.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, at));
      onLine(Buffer.concat(pieces).toString('utf8'));
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(Buffer.from(chunk.subarray(from)));
  });
}

/** All line ends that some reader recognises: those of `str.splitlines` in Python, which has the most. */
export const LINE_ENDS = ['\n', '\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\u0085', '\u2028', '\u2029'] as const;
