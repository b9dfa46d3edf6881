export type ConfigPath = readonly (string | number)[];

/** A problem with a config, before its line is known. */
export interface Finding {
  readonly path: ConfigPath;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The part of the text that it concerns: the value (default), the key, or an offset in the text. */
  readonly at?: 'key' | number | undefined;
  /** The config would open the gateway to others without protection. */
  readonly isUnprotected?: boolean;
  /** A variable is not set; otherwise the value may be right. */
  readonly isUnset?: boolean;
}

/** A key may be as long as the file; a message should not. */
const LONGEST_KEY = 60;

/** `upstreams.github.args[2]`; keys that are no plain words are quoted. */
export function toJsonPath(path: ConfigPath): string {
  return path.map(step).join('').replace(/^\./, '');
}

function step(part: string | number): string {
  if (typeof part === 'number') return `[${part}]`;
  if (part.length > LONGEST_KEY) return step(`${part.slice(0, LONGEST_KEY - 1)}…`);
  return /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
}

export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value that `value` has at a path, as far as there is one. */
export function valueAt(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const part of path) {
    if (Array.isArray(current)) current = current[Number(part)];
    else current = isMapping(current) && Object.hasOwn(current, part) ? current[part] : undefined;
  }
  return current;
}

/** Returns whether a path is one of those that a pattern such as `upstreams.*.args` means; `*` stands for any one step. */
export function matches(path: ConfigPath, pattern: string): boolean {
  const parts = pattern.split('.');
  return parts.length === path.length && parts.every((part, index) => part === '*' || part === String(path[index]));
}
