import { fstatSync, ftruncateSync, writeSync } from 'node:fs';

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

function write(file: number, text: string | Uint8Array, onWritten: (bytes: number) => void): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let done = 0; done < bytes.length; onWritten(done)) done += writeSync(file, bytes, done);
}
