import { createHash, randomBytes } from 'node:crypto';
import { isMoment, type TokenFile } from '../../config/server/server-schema.ts';

/** Prefix by which people and secret scanners recognise a token. */
const PREFIX = 'vdt_';
const TOKEN_BYTES = 32;

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

export interface TokenWishes {
  readonly name: string;
  readonly upstreams?: string[] | undefined;
  readonly workflows?: string[] | undefined;
  /** Globs of project ids. */
  readonly projects?: string[] | undefined;
  /** In the form that `momentOf` returns. */
  readonly expires?: string | undefined;
}

export interface NewToken {
  /** The token itself, which is never stored. */
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

/**
 * Reads when a token ends: `90d`, `12h` or `2w` from `now` on, or a date with or without a time (ISO 8601).
 * @param now milliseconds since 1970
 * @returns the moment as the config has it
 * @throws Error that says why it is none: not a time, or over already
 */
export function momentOf(text: string, now: number): string {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return shownMoment(now + Number(count) * UNIT_MS[unit!]!);
  if (!isMoment(text)) {
    throw new Error(`"${text}" is not a time: write 90d, 12h, or a date such as 2027-01-31`);
  }
  const at = Date.parse(text);
  if (at <= now) throw new Error(`"${text}" is in the past: write a time in the future`);
  return shownMoment(at);
}

function shownMoment(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
