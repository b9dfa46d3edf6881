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

/** Ends the process once standard output is flushed. An exit code that is already set stays. */
export function exitWhenWritten(code: number): void {
  process.exitCode ??= code;
  if (process.stdout.writableLength === 0) process.exit();
  process.stdout.end(() => process.exit());
}
