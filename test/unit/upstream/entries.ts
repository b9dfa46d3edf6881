import { DEFAULT_TIMEOUTS, type StdioEntry } from '../../../src/core/upstream-entry.ts';

/** An entry with all defaults but what is given. */
export function entryOf(changes: Partial<StdioEntry> = {}): StdioEntry {
  return {
    key: 'up',
    command: 'true',
    args: [],
    env: {},
    cwd: '/',
    inheritEnv: false,
    prefix: 'up',
    share: 'gateway',
    restart: 'always',
    era: 'auto',
    timeouts: DEFAULT_TIMEOUTS,
    maxConcurrency: 64,
    tools: { allow: ['*'], deny: [] },
    validation: 'warn',
    pins: 'warn',
    inferHints: false,
    instructions: true,
    ...changes,
  };
}
