const SECOND_MS = 1_000;

/** Returns a time in milliseconds as people read it: `850ms`, `12s`, `1m12s`, `2h03m`. Parts of a second count only below one. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < SECOND_MS) return `${whole}ms`;
  const seconds = Math.floor(whole / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
