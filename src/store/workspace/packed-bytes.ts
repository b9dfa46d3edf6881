import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

/**
 * The number of bytes up to which contents are compressed or decompressed at once. Larger ones are handled aside, so
 * that no other work waits.
 */
const MAX_AT_ONCE = 64 * 1024;
/** Most of what is kept is never read again. */
const QUICK = { level: 1 };

const deflateAside = promisify<Uint8Array, { level?: number }, Buffer>(deflateRaw);
const inflateAside = promisify<Uint8Array, Buffer>(inflateRaw);

export async function packBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length > MAX_AT_ONCE ? deflateAside(bytes, QUICK) : deflateRawSync(bytes, QUICK);
}

export async function unpackBytes(packed: Uint8Array): Promise<Uint8Array> {
  return packed.length > MAX_AT_ONCE ? inflateAside(packed) : inflateRawSync(packed);
}
