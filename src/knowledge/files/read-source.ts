import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../core/folders/is-inside.ts';

export type SourceText =
  | {
      readonly kind: 'text';
      /** Without a byte order mark; line ends as they are. */
      readonly text: string;
      readonly size: number;
      readonly mtimeMs: number;
      readonly ino: number;
    }
  /** Bytes that are no text, such as an image. */
  | { readonly kind: 'binary' }
  /** For people: says which file, and what was wrong. */
  | { readonly kind: 'failure'; readonly reason: string };

/** Number of bytes that are searched for NUL to recognise binary files, as git does. */
const LOOKED_AT = 8_000;

/** A pipe is opened without waiting for its other end; a link is not. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that `walkFiles` has named. It is checked again: it must be a regular file that lies inside of the root, and no
 * larger than `maxBytes`. UTF-8, and UTF-16 with a byte order mark, are text.
 * @param file relative to the root, with `/`
 */
export async function readSource(root: string, file: string, maxBytes: number): Promise<SourceText> {
  try {
    const read = readChecked(root, path.join(root, file), maxBytes);
    return read.kind === 'failure' ? failure(`${file}: ${read.reason}`) : read;
  } catch (error) {
    return failure(`${file}: ${reasonOf(error)}`);
  }
}

function readChecked(root: string, place: string, maxBytes: number): SourceText {
  const opened = openSync(place, FLAGS);
  try {
    const stats = fstatSync(opened);
    const refusal = refusalOf(root, place, stats, maxBytes);
    if (refusal !== undefined) return failure(refusal);
    return decoded(readUpTo(opened, stats.size, maxBytes), stats, maxBytes);
  } finally {
    closeSync(opened);
  }
}

/** A folder on the way may have become a link: what was opened must be what lies there, and lie inside. */
function refusalOf(root: string, place: string, opened: Stats, maxBytes: number): string | undefined {
  if (!opened.isFile()) return 'it is not a regular file';
  if (opened.size > maxBytes) return tooLarge(maxBytes);
  const real = realpathSync(place);
  if (!isInside(realpathSync(root), real)) return 'it lies outside of the folder';
  const { dev, ino } = statSync(real);
  return dev === opened.dev && ino === opened.ino ? undefined : 'it was replaced while it was read';
}

const tooLarge = (maxBytes: number): string => `it is larger than ${maxBytes} bytes`;

/** Reads a byte more than it may have, to see whether it has grown. */
function readUpTo(opened: number, size: number, maxBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(opened, bytes, length, bytes.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function decoded(bytes: Buffer, { size, mtimeMs, ino }: Stats, maxBytes: number): SourceText {
  if (bytes.length > size)
    return failure(bytes.length > maxBytes ? tooLarge(maxBytes) : 'it has grown while it was read');
  const text = textOf(bytes);
  if (text === 'binary') return { kind: 'binary' };
  if (text === undefined) return failure('it is not UTF-8');
  return { kind: 'text', text: text.text, size, mtimeMs, ino };
}

/** `undefined` for text in an encoding that is not known. */
function textOf(bytes: Buffer): { readonly text: string } | 'binary' | undefined {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes) };
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return 'binary';
  return isUtf8(bytes) ? { text: bytes.toString('utf8').replace(/^\uFEFF/, '') } : undefined;
}

function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

const failure = (reason: string): SourceText => ({ kind: 'failure', reason });

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  return code === 'ELOOP' ? 'it is a link' : (code ?? message);
}
