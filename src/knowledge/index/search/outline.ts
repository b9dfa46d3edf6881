import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../../../core/errors.ts';
import { outlineFile } from '../../chunks/chunk-file.ts';
import { readSource } from '../../files/read-source.ts';
import { walkFiles } from '../../files/walk-files.ts';
import type { Outline, OutlineFile } from '../knowledge.ts';
import { redactSource } from '../texts/redact-source.ts';

interface Limits {
  readonly maxFiles: number;
  readonly ignore: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Returns the symbols of a file, or of the files of a folder that may be indexed, as they are on the disk now. */
export async function outlineOf(root: string, place: string, limits: Limits): Promise<Outline> {
  const at = withoutSlashes(place);
  const found = statSync(path.join(root, at), { throwIfNoEntry: false });
  if (found === undefined)
    throw new GatewayError('FILE_FAILED', `There is no ${place} below ${root}`, { effect: 'none' });
  if (!found.isDirectory()) {
    const one = await outlineOfFile(root, at, limits);
    if (one === undefined)
      throw new GatewayError('FILE_FAILED', `${place} is no text, or too large to be read`, { effect: 'none' });
    return { files: [one], isCut: false };
  }
  const files: OutlineFile[] = [];
  for await (const walked of filesBelow(root, at, limits)) {
    if (files.length >= limits.maxFiles) return { files, isCut: true };
    // Searches are answered in between.
    await turn();
    limits.signal.throwIfAborted();
    const one = await outlineOfFile(root, walked, limits);
    if (one !== undefined && one.symbols.length > 0) files.push(one);
  }
  return { files, isCut: false };
}

async function* filesBelow(root: string, folder: string, { ignore, maxBytes, signal }: Limits): AsyncGenerator<string> {
  for await (const batch of walkFiles(root, { ignore, maxBytes, signal }))
    for (const { kind, path: file } of batch)
      if (kind === 'file' && (folder === '' || file.startsWith(`${folder}/`))) yield file;
}

async function outlineOfFile(root: string, file: string, { maxBytes }: Limits): Promise<OutlineFile | undefined> {
  const read = await readSource(root, file, maxBytes);
  if (read.kind !== 'text') return undefined;
  // Heads of values have them whole.
  const text = redactSource(read.text);
  return { path: file, symbols: text === undefined ? [] : await outlineFile(file, text) };
}

function withoutSlashes(place: string): string {
  const normal = path.posix.normalize(place === '' ? '.' : place).replace(/\/$/, '');
  return normal === '.' ? '' : normal;
}
