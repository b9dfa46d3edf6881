import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { NewSource } from '../../../store/knowledge/rows.ts';
import { chunkFile } from '../../chunks/chunk-file.ts';
import { areSameFacts, type FileFacts } from '../../files/file-facts.ts';
import { readSource } from '../../files/read-source.ts';
import { newChunks, sourceHash, tagsOf } from './new-chunks.ts';
import { redactSource } from './redact-source.ts';

/** A file that goes on changing is taken as it is, and read again at the next look. */
const READINGS = 3;
/** A change so soon after the reading may leave the time of a file as it was: file systems keep times in ticks. */
const TICK_MS = 50;
/** Some keep whole seconds, or every other one. */
const COARSE_TICK_MS = 2_100;
/** The time of a file that may have changed unseen. */
const UNSURE = -1;

export interface FileToPrepare {
  readonly path: string;
  /** The hash that the index has of it; empty for none. */
  readonly knownHash: string;
}

export type PreparedFile =
  | { readonly kind: 'source'; readonly source: NewSource }
  /** It is what the index has. */
  | ({ readonly kind: 'same'; readonly path: string } & FileFacts)
  | { readonly kind: 'gone'; readonly path: string }
  | { readonly kind: 'failure'; readonly path: string; readonly reason: string };

/** Reads a file below a root and makes of it what is stored. Never throws: of each file something is said. */
export async function prepareFile(root: string, file: FileToPrepare, maxBytes: number): Promise<PreparedFile> {
  try {
    return await prepare(root, file, maxBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'gone', path: file.path };
    return { kind: 'failure', path: file.path, reason: (error as Error).message };
  }
}

async function prepare(
  root: string,
  { path: file, knownHash }: FileToPrepare,
  maxBytes: number,
): Promise<PreparedFile> {
  const { facts, read } = await readWhole(root, file, maxBytes);
  if (read.kind === 'failure') return { kind: 'failure', path: file, reason: read.reason };
  // One that is no text is known too, so that it is not read at each look.
  const hash = read.kind === 'text' ? hashOf(read.text) : sourceHash(`binary:${facts.size}`);
  if (hash === knownHash) return { kind: 'same', ...facts };
  const text = read.kind === 'text' ? redactSource(read.text) : '';
  if (text === undefined)
    return { kind: 'failure', path: file, reason: `${file} has secrets that cannot be taken out; it is left out` };
  const chunks = newChunks(await chunkFile(file, text));
  return { kind: 'source', source: { hash, ...facts, tags: tagsOf(file), chunks } };
}

function hashOf(text: string): string {
  return sourceHash(createHash('sha256').update(text).digest('base64url'));
}

/** A file that changes while it is read is read again. */
async function readWhole(root: string, file: string, maxBytes: number) {
  const place = path.join(root, file);
  for (let reading = 1; ; reading++) {
    const before = statSync(place);
    const read = await readSource(root, file, maxBytes);
    const readAtMs = Date.now();
    const after = statSync(place);
    const isWhole = areSameFacts(before, after);
    if (!isWhole && reading < READINGS) continue;
    const mtimeMs = isWhole && isOld(after.mtimeMs, readAtMs) ? after.mtimeMs : UNSURE;
    return { read, facts: { path: file, size: after.size, mtimeMs, ino: after.ino } };
  }
}

function isOld(mtimeMs: number, readAtMs: number): boolean {
  return readAtMs - mtimeMs > (mtimeMs % 1_000 === 0 ? COARSE_TICK_MS : TICK_MS);
}
