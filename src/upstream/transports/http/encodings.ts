import { pipeline, type Transform } from 'node:stream';
import type { HttpResponse } from './response.ts';

type Zlib = typeof import('node:zlib');

const DECODERS: ReadonlyMap<string, (zlib: Zlib) => Transform> = new Map<string, (zlib: Zlib) => Transform>([
  ['gzip', (zlib) => zlib.createGunzip()],
  ['x-gzip', (zlib) => zlib.createGunzip()],
  ['deflate', (zlib) => zlib.createInflate()],
  ['br', (zlib) => zlib.createBrotliDecompress()],
]);

/** How the body was compressed; `undefined` where it is as it is. */
export function encodingOf({ headers }: HttpResponse): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

/** The same response with its body as it was before; `undefined` for an encoding that is not known here. */
export function decoded(response: HttpResponse, zlib: Zlib): HttpResponse | undefined {
  const decoder = DECODERS.get(encodingOf(response) ?? '')?.(zlib);
  if (decoder === undefined) return undefined;
  const { headers, statusCode } = response;
  pipeline(response, decoder, () => undefined);
  // Whoever reads it hears of the end by its close; nobody may be reading.
  decoder.on('error', () => undefined);
  return Object.assign(decoder, { headers, statusCode });
}
