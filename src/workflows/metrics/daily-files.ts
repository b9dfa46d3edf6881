import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../core/folders/make-folder.ts';

const LINE_END = 0x0a;

/** Returns the file in which go-ai keeps the events of a day. */
export function dailyFile(folder: string, day: string): string {
  return path.join(folder, `${day}.jsonl`);
}

/**
 * Adds whole lines at the end of a file: others may add theirs at the same time. Makes the file and its folder,
 * for this user's eyes only. @throws the system's error, or one that names the file
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  makeFolder(path.dirname(file), 0o700);
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // The writer of the last line was killed while writing it: our line must not be lost with it.
    const start = size === 0 || buffer[0] === LINE_END ? '' : '\n';
    await writeAtOnce(handle, Buffer.from(`${start}${lines.map((line) => `${line}\n`).join('')}`));
  } catch (error) {
    // The system names no file where the disk is full.
    throw new Error(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  } finally {
    await handle.close();
  }
}

/** Writes in one system call, which the system does not mix with others: `appendFile` splits long data into several. */
async function writeAtOnce(handle: FileHandle, bytes: Buffer): Promise<void> {
  const { size: before } = await handle.stat();
  let done = 0;
  try {
    while (done < bytes.length) done += (await handle.write(bytes, done)).bytesWritten;
  } catch (error) {
    // On a full disk: no part of a line stays, unless another program has added its own to it.
    if (done > 0 && (await handle.stat()).size === before + done) await handle.truncate(before);
    throw error;
  }
}
