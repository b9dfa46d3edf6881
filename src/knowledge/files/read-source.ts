import { readFile } from 'node:fs/promises';
import path from 'node:path';

export type SourceText =
  | { readonly kind: 'text'; readonly text: string }
  /** Bytes that are no text, such as an image. */
  | { readonly kind: 'binary' }
  | { readonly kind: 'failure'; readonly reason: string };

/**
 * Reads a file that `walkFiles` has named. It is checked again that it is a regular file inside the root and not too large.
 * @param file relative to the root, with `/`
 */
export async function readSource(root: string, file: string, maxBytes: number): Promise<SourceText> {
  const bytes = await readFile(path.join(root, file));
  if (bytes.length > maxBytes) return { kind: 'failure', reason: `${file} is larger than ${maxBytes} bytes` };
  return { kind: 'text', text: bytes.toString('utf8') };
}
