import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';

/**
 * Writes all of a text: a disk that has little room takes only a part at a time.
 * @throws the system's error; a part may be written then
 */
export function writeAll(file: number, text: string | Uint8Array): void {
  write(file, text, () => undefined);
}

/**
 * Appends all of a text to a file that is open for that. What others append at the same time stays whole.
 * @throws the system's error; then no part of it is left, unless another process has appended to it already
 */
export function appendAll(file: number, text: string | Uint8Array): void {
  const { size: before } = fstatSync(file);
  let written = 0;
  try {
    write(file, text, (bytes) => {
      written = bytes;
    });
  } catch (error) {
    if (written > 0 && fstatSync(file).size === before + written) ftruncateSync(file, before);
    throw error;
  }
}

const LINE_END = 10;

/**
 * Appends whole lines to a file that is open for reading and appending. Readers may take a line as soon as it is whole,
 * so none is taken back.
 * @returns the number of bytes
 * @throws the system's error; then only whole lines are left, unless another process has appended to the last one already
 */
export function appendLines(file: number, lines: string): number {
  const length = Buffer.byteLength(lines);
  const first = writeSync(file, lines);
  if (first < length) appendRest(file, Buffer.from(lines), first);
  return length;
}

function appendRest(file: number, lines: Buffer, first: number): void {
  let written = first;
  try {
    while (written < lines.length) written += writeSync(file, lines, written);
  } catch (error) {
    const begun = lines.subarray(lines.subarray(0, written).lastIndexOf(LINE_END) + 1, written);
    if (begun.length > 0) cutOff(file, begun);
    throw error;
  }
}

/** Removes the end of a file, if this is its end. */
function cutOff(file: number, end: Buffer): void {
  const from = fstatSync(file).size - end.length;
  const found = Buffer.alloc(end.length);
  readSync(file, found, 0, end.length, from);
  if (found.equals(end)) ftruncateSync(file, from);
}

function write(file: number, text: string | Uint8Array, onWritten: (bytes: number) => void): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let done = 0; done < bytes.length; onWritten(done)) done += writeSync(file, bytes, done);
}
