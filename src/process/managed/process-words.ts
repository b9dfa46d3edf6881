import type { ProcessEnd, ProcessState } from './managed-process.ts';

/** 0 while it runs, -1 where it has none. */
export function exitCodeOf(state: ProcessState): number {
  if (state.name === 'exited') return state.exitCode;
  return state.name === 'running' ? 0 : -1;
}

/** Returns how a process ended, to follow its name: `ended with exit code 1`. */
export function wordsFor(end: ProcessEnd): string {
  if (end.name === 'exited') return `ended with exit code ${end.exitCode}`;
  return end.name === 'killed' ? `was ended by ${end.signal}` : `failed: ${end.reason}`;
}
