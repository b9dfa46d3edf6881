import type { HttpResponse } from './response.ts';

/** The number of bytes of an unwanted body that are read: after a short body the connection can be used again. */
const MAX_BYTES = 64 * 1024;
/** The time to wait for the rest of an unwanted body. */
const MAX_MS = 5_000;

/** Discards a response whose body is not wanted. Its connection is closed if the body is long, or does not end. */
export function discard(response: HttpResponse): void {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), MAX_MS).unref();
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) response.destroy();
  });
  response.once('close', () => clearTimeout(timer));
}
