/**
 * One line of JSON as it arrived, newline included: the bytes of `chunk` from `from` to `to`, and in front of them those of
 * earlier chunks. Nothing is copied.
 */
export interface Line {
  readonly chunk: Buffer;
  readonly from: number;
  readonly to: number;
  readonly earlier: readonly Buffer[] | undefined;
}

/** Returns a line in one buffer of its own, which keeps no larger chunk alive. */
export function copyOf({ chunk, from, to, earlier }: Line): Buffer {
  return Buffer.concat([...(earlier ?? []), chunk.subarray(from, to)]);
}

/** Returns the value of a line, or `undefined` if it is not JSON. */
export function parsed(line: Line): unknown {
  const { chunk, from, to, earlier } = line;
  try {
    return JSON.parse(earlier === undefined ? chunk.toString('utf8', from, to) : copyOf(line).toString());
  } catch {
    return undefined;
  }
}

/** Returns what is at a path of member names, or `undefined`. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  return at;
}
