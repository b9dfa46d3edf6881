/** Returns the key whose bytes are in `piece` from `start` to `end`, decoded; the frequent ones without making a string. */
export function keyAt(piece: Buffer, start: number, end: number): string {
  return commonKey(piece, start, end) ?? decodeKey(piece.latin1Slice(start, end));
}

/** Keys of protocol messages by length: recognised without making a string of them. */
const COMMON_KEYS: readonly (readonly string[])[] = groupByLength([
  'id',
  'uri',
  'name',
  '_meta',
  'error',
  'method',
  'params',
  'result',
  'jsonrpc',
  'content',
  'arguments',
]);

function groupByLength(keys: readonly string[]): string[][] {
  const groups: string[][] = Array.from({ length: 10 }, () => []);
  for (const key of keys) groups[key.length]?.push(key);
  return groups;
}

function commonKey(piece: Buffer, start: number, end: number): string | undefined {
  const candidates = COMMON_KEYS[end - start];
  if (candidates === undefined) return undefined;
  for (const key of candidates) if (holds(piece, start, key)) return key;
  return undefined;
}

function holds(piece: Buffer, start: number, ascii: string): boolean {
  for (let index = 0; index < ascii.length; index++) {
    if (piece[start + index] !== ascii.charCodeAt(index)) return false;
  }
  return true;
}

/** `raw` holds the key's UTF-8 bytes, one character a byte, without quotes. */
export function decodeKey(raw: string): string {
  if (!/[\\\u0080-\u00ff]/.test(raw)) return raw;
  return JSON.parse(`"${Buffer.from(raw, 'latin1').toString('utf8')}"`) as string;
}
