import { homedir } from 'node:os';
import type { Environment } from '../settings/environment.ts';

/** Returns the user's home folder: `HOME` if it is set, also where the system would not look at it. */
export function userHome(env: Environment): string {
  return env.HOME || homedir();
}
