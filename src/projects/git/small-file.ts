import { open, readFile, stat } from 'node:fs/promises';

const MAX_BYTES = 1024 * 1024;

/** Anything else (a pipe, a device) would be read forever. */
export async function kindOf(file: string): Promise<'file' | 'folder' | 'other'> {
  try {
    const facts = await stat(file);
    if (facts.isFile()) return 'file';
    return facts.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}

/** Empty for what is not there, no file, or larger than such a file ever is. */
export async function textOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > MAX_BYTES) return '';
  return readFile(file, 'utf8').catch(() => '');
}

/** Returns the end of a file that may be long; empty for what is no file. */
export async function tailOf(file: string, maxBytes: number): Promise<string> {
  if ((await kindOf(file)) !== 'file') return '';
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}
