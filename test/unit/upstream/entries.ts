import { DEFAULT_TIMEOUTS, type RemoteEntry, type StdioEntry } from '../../../src/core/settings/upstream-entry.ts';

/** An entry with all defaults but what is given. */
export function entryOf(changes: Partial<StdioEntry> = {}): StdioEntry {
  return {
    key: 'up',
    type: 'stdio',
    command: 'true',
    args: [],
    env: {},
    cwd: '/',
    inheritEnv: false,
    prefix: 'up',
    share: 'gateway',
    restart: 'always',
    idleStopMs: 0,
    stateless: false,
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

/** The same for a server that is reached by a url. */
export function remoteEntryOf(url: string, changes: Partial<RemoteEntry> = {}): RemoteEntry {
  const { command: _command, args: _args, env: _env, cwd: _cwd, inheritEnv: _inheritEnv, ...rules } = entryOf();
  return { ...rules, type: 'http', url, headers: {}, ...changes };
}
