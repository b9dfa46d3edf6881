/** Returns a signal that is aborted when this one is, or after `ms` milliseconds. */
export function orAfter(signal: AbortSignal, ms: number): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  // Node 20 collects a timeout that only `any` listens to, and it never fires.
  timeout.addEventListener('abort', () => undefined, { once: true });
  return AbortSignal.any([signal, timeout]);
}
