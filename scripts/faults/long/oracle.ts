import { isUtf8 } from 'node:buffer';

/** Deeper texts are refused as no JSON, so that their id is never looked for. */
const DEEPEST = 256;

/** Which answers a message that was sent may have. */
export interface Due {
  /** Ids of which each must get one answer. */
  readonly must: readonly string[];
  /** Ids that may get one: in batches, with a bad method, or in texts of which readers may differ. */
  readonly may: readonly string[];
  /** A member of the message occurs twice: over HTTP the answer is a status and an error without an id. */
  readonly isAmbiguous: boolean;
}

const NOTHING: Due = { must: [], may: [], isAmbiguous: false };

/**
 * Returns the answer that the sender of these bytes may expect by JSON-RPC. A request is an object with a string or an
 * integer as `id` and a string as `method`, even if it has other faults.
 */
export function dueFor(bytes: Buffer): Due {
  const text = bytes.toString('utf8');
  const value = parsed(text);
  if (Array.isArray(value)) {
    return { ...NOTHING, may: value.map(keyOfRequest).filter((key) => key !== undefined) };
  }
  const key = keyOfRequest(value);
  if (key === undefined) return NOTHING;
  const { depth, keys } = shapeOf(text);
  const isPlain = isUtf8(bytes) && depth <= DEEPEST && isPlainRequest(value, text);
  const isAmbiguous = new Set(keys).size < keys.length;
  return isPlain ? { must: [key], may: [], isAmbiguous } : { must: [], may: [key], isAmbiguous };
}

/** The same for ids that mean the same; ids that are no ids have none. */
export function idKey(id: unknown): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id);
  return typeof id === 'number' ? String(id) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function keyOfRequest(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return undefined;
  return Object.hasOwn(value, 'method') ? idKey((value as { id: unknown }).id) : undefined;
}

/** `1.0` and `1e3` are integers to JavaScript only, and are not valid ids elsewhere. */
function isPlainRequest(value: unknown, text: string): boolean {
  const { id, method } = value as { id: unknown; method: unknown };
  if (typeof method !== 'string') return false;
  if (typeof id === 'string') return true;
  const tokens = [...text.matchAll(/"id"\s*:\s*(-?(?:0|[1-9]\d*))\s*[,}]/g)].map((match) => Number(match[1]));
  return tokens.some((token) => Object.is(token, id));
}

/** How deep a JSON text is, and the keys of its outermost object. */
function shapeOf(text: string): { depth: number; keys: string[] } {
  let level = 0;
  let depth = 0;
  const keys: string[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{]|[\]}]/g)) {
    if (token === '[' || token === '{') depth = Math.max(depth, ++level);
    else if (token === ']' || token === '}') level--;
    else if (colon !== undefined && level === 1) keys.push(JSON.parse(token.slice(0, -colon.length)) as string);
  }
  return { depth, keys };
}
