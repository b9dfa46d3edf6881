import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

/**
 * The number of bytes up to which a text is compressed or decompressed at once. Larger ones are handled aside, so that
 * no other work waits.
 */
const MAX_AT_ONCE = 256 * 1024;
/** Speed over size for what is replaced with the next write. */
const QUICK = { level: 1 };

const deflateAside = promisify<string, { level?: number }, Buffer>(deflateRaw);
const inflateAside = promisify<Uint8Array, Buffer>(inflateRaw);

/** Returns a text that is kept. */
export async function pack(text: string): Promise<Uint8Array> {
  return deflated(text, {});
}

/** Returns a text that will be replaced soon. */
export async function packQuickly(text: string): Promise<Uint8Array> {
  return deflated(text, QUICK);
}

export async function unpack(body: Uint8Array): Promise<string> {
  const text = body.length > MAX_AT_ONCE ? await inflateAside(body) : inflateRawSync(body);
  return text.toString('utf8');
}

async function deflated(text: string, options: { level?: number }): Promise<Uint8Array> {
  return text.length > MAX_AT_ONCE ? deflateAside(text, options) : deflateRawSync(text, options);
}
