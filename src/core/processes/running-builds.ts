/** Builds that this process runs: what the database calls running and is not here was given up. */
const running = new Set<string>();

export function noteRunning(id: string): void {
  running.add(id);
}

export function noteEnded(id: string): void {
  running.delete(id);
}

/** Returns the ids of the builds that this process runs. */
export function runningBuilds(): readonly string[] {
  return [...running];
}

export function isRunningHere(id: string): boolean {
  return running.has(id);
}
