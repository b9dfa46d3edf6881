import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Shorter texts gain little. */
const PACKED_FROM = 500;
/** Room to unpack into: enough for nearly all texts. */
const UNPACKED_BYTES = 4_096;

export interface StoredText {
  readonly isPacked: boolean;
  readonly body: Uint8Array;
}

/** Returns a text as the database keeps it. */
export function pack(text: string): StoredText {
  const bytes = Buffer.from(text);
  if (bytes.length < PACKED_FROM) return { isPacked: false, body: bytes };
  return { isPacked: true, body: deflateRawSync(bytes, { level: constants.Z_BEST_SPEED }) };
}

export function unpack({ isPacked, body }: StoredText): string {
  return Buffer.from(isPacked ? inflateRawSync(body, { chunkSize: UNPACKED_BYTES }) : body).toString();
}
