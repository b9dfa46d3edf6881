const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

export type Lookback = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly reason: string };

/** Parses how far to look back, as people write it: `7d`, `24h`, `30m`. */
export function parseLookback(text: string): Lookback {
  const [, digits = '', unit = ''] = /^(\d+)([dhm])$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return { ok: true, ms };
  const shown = JSON.stringify(text.slice(0, 40));
  return { ok: false, reason: `${shown} must be a positive whole number with d, h or m after it: 7d, 24h, 30m` };
}

/** Returns the time that lies so far back, in milliseconds since 1970, but none before 1970. */
export function lookBack(ms: number, now = Date.now()): number {
  return Math.max(0, now - ms);
}
