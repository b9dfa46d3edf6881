import { realpathSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { LiveFeed } from '../../../src/core/providers/live-feed.ts';
import { LoginPath } from '../../../src/process/login-path.ts';
import { Reaper } from '../../../src/process/reaper.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import type { CallContext, CallingClient } from '../../../src/workflows/define.ts';
import { createIdeBuilds, type IdeBuilds } from '../../../src/workflows/ide/builds/builds.ts';
import { buildCommands } from '../../../src/workflows/ide/builds/options.ts';
import { UNPROTECTED } from '../../../src/workspace/protection/guard.ts';
import { temporaryFolder } from '../gateway.ts';
import { GIT_ENV } from '../git-repository.ts';

export interface IdeBuildsSetup {
  readonly home?: string;
  /** Folder of the workspace; if absent, each client's own folder. */
  readonly root?: string;
  readonly keepBuilds?: number;
  /** Replaces the secrets of the config. */
  readonly mask?: (text: string) => string;
}

/** Builds as workflow `ide` has them. They end with the test. */
export function ideBuildsSetup(
  commands: object,
  { home = realpathSync(temporaryFolder()), root, keepBuilds = 100, mask = (text) => text }: IdeBuildsSetup = {},
) {
  const database = openDatabase({ home });
  const live = new LiveFeed();
  const builds = createIdeBuilds({
    options: { builds: buildCommands.parse(commands), keepBuilds },
    database,
    live,
    home,
    reaper: new Reaper(),
    loginPath: new LoginPath({}),
    log: createLog({ level: 'silent' }),
    mask,
    env: GIT_ENV,
    workspace: {
      roots: root === undefined ? [] : [{ folder: root }],
      clientFolders: [],
      unprotected: [],
      undo: { changes: 1, megabytes: 1, fileMegabytes: 1 },
    },
    guard: () => UNPROTECTED,
  });
  const stop = async () => {
    await builds.stop();
    await database.close();
  };
  onTestFinished(stop);
  return { builds, home, live, stop };
}

/** The call of a client that works in a folder. */
export function callIn(folder: string | undefined, client: Partial<CallingClient> = {}): CallContext {
  return {
    client: { era: 'legacy', id: 'client', hasSession: true, name: 'test', ...client },
    signal: new AbortController().signal,
    folder: async () => folder,
    progress: () => undefined,
    canElicit: false,
    elicit: () => Promise.reject(new Error('nobody is asked')),
    sampling: { canSample: false, sample: () => Promise.reject(new Error('nobody is asked')) },
  };
}

/** Waits for the end of a build. */
export async function ended(builds: IdeBuilds, id: string, context: CallContext) {
  await expect.poll(async () => (await builds.get(id, context)).status, { timeout: 30_000 }).not.toBe('running');
  return builds.get(id, context);
}
