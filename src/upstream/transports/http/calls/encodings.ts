import { pipeline, type Transform } from 'node:stream';
import type { HttpResponse } from '../response.ts';

type Zlib = typeof import('node:zlib');

const DECODERS: ReadonlyMap<string, (zlib: Zlib) => Transform> = new Map<string, (zlib: Zlib) => Transform>([
  ['gzip', (zlib) => zlib.createGunzip()],
  ['x-gzip', (zlib) => zlib.createGunzip()],
  ['deflate', (zlib) => zlib.createInflate()],
  ['br', (zlib) => zlib.createBrotliDecompress()],
]);

/** Returns the encoding with which the body was compressed; `undefined` if it was not compressed. */
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
  // The reader learns of the end from the close event, and there may be no reader.
  decoder.on('error', () => undefined);
  return Object.assign(decoder, { headers, statusCode });
}
