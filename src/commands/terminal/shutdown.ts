const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` at the first signal and exits when it is done; a second signal does not wait. */
export function onSignal(stop: (signal: string) => Promise<void>): void {
  let stopping = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop(signal).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

/** Ends the process once everything that was written to standard output has left it. A code that is set already stays. */
export function exitWhenWritten(code: number): void {
  process.exitCode ??= code;
  if (process.stdout.writableLength === 0) process.exit();
  process.stdout.end(() => process.exit());
}
