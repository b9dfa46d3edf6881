import { createHash, randomBytes } from 'node:crypto';
import type { TokenFile } from '../../config/server-schema.ts';

/** So that whoever finds one, a scanner for secrets say, knows what it is. */
const PREFIX = 'vdt_';
const TOKEN_BYTES = 32;

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

export interface TokenWishes {
  readonly name: string;
  readonly upstreams?: string[] | undefined;
  readonly workflows?: string[] | undefined;
  /** Globs of project ids. */
  readonly projects?: string[] | undefined;
  /** As `momentOf` gives it. */
  readonly expires?: string | undefined;
}

export interface NewToken {
  /** Never kept anywhere. */
  readonly token: string;
  readonly entry: TokenFile;
}

export function makeToken({ name, upstreams, workflows, projects, expires }: TokenWishes): NewToken {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
  const entry = {
    name,
    hash,
    ...(upstreams !== undefined && { upstreams }),
    ...(workflows !== undefined && { workflows }),
    ...(projects !== undefined && { projects }),
    ...(expires !== undefined && { expires }),
  };
  return { token, entry };
}

/** `90d`, `12h`, `2w` from `now` on, or a date, as a moment for the config; `undefined` for anything else. */
export function momentOf(text: string, now: number): string | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text);
  const at = count === undefined ? (isDate ? Date.parse(text) : Number.NaN) : now + Number(count) * UNIT_MS[unit!]!;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
