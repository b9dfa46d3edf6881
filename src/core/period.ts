const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `24h` or `7d` in milliseconds; `undefined` for anything else. */
export function periodMs(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit!]!;
}
