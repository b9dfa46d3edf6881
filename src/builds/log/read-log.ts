import { type FileHandle, open } from 'node:fs/promises';
import { noteLine } from './notes.ts';

const READ_AT_ONCE = 65_536;
const LINE_END = 0x0a;
/** The limit on an answer: a longer one is of no use. */
const MAX_BYTES = 1_048_576;

/**
 * Returns up to `count` of the newest lines of a log, oldest first. Reads no more of the file than these lines, and at
 * most one mebibyte: then the first line says that earlier ones are left out.
 * @throws the system's error
 */
export async function newestLines(file: string, count: number): Promise<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const { bytes, isCut } = await endOf(handle, count);
    const lines = linesIn(bytes);
    return isCut
      ? [noteLine(`earlier lines are left out: an answer has at most ${MAX_BYTES} bytes`).trimEnd(), ...lines]
      : lines;
  } finally {
    await handle.close();
  }
}

interface End {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

async function endOf(handle: FileHandle, count: number): Promise<End> {
  let start = (await handle.stat()).size;
  let bytes: Buffer = Buffer.alloc(0);
  while (start > 0 && bytes.length < MAX_BYTES) {
    const length = Math.min(READ_AT_ONCE, start);
    start -= length;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    bytes = Buffer.concat([buffer.subarray(0, bytesRead), bytes]);
    const begin = beginOfLast(bytes, count);
    if (begin !== undefined) return { bytes: bytes.subarray(begin), isCut: false };
  }
  return { bytes: start === 0 ? bytes : bytes.subarray(bytes.indexOf(LINE_END) + 1), isCut: start > 0 };
}

/** Returns where the last `count` lines begin; `undefined` if there may be more of them in front. */
function beginOfLast(bytes: Buffer, count: number): number | undefined {
  let at = bytes.at(-1) === LINE_END ? bytes.length - 1 : bytes.length;
  for (let lines = 0; lines < count; lines++) {
    if (at <= 0) return undefined;
    at = bytes.lastIndexOf(LINE_END, at - 1);
    if (at === -1) return undefined;
  }
  return at + 1;
}

function linesIn(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
