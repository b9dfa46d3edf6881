import type { HttpResponse } from './response.ts';

/** Bytes of a body that are read although nobody wants them: the connection can be used again behind a short one. */
const MAX_BYTES = 64 * 1024;
/** The rest of a body that nobody wants is waited for this long. */
const MAX_MS = 5_000;

/** Lets go of a response whose body nobody wants. Its connection is closed if the body is long, or does not end. */
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
