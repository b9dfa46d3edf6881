import { realpathSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { BuildReader } from '../../../src/builds/build-reader.ts';
import { type BuildFacts, BuildRecorder, type RecorderOptions } from '../../../src/builds/build-recorder.ts';
import { LiveFeed, type LiveMessage } from '../../../src/core/providers/live-feed.ts';
import { openBuildStore } from '../../../src/store/builds/open-build-store.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { temporaryFolder } from '../../support/gateway.ts';

export const FACTS: BuildFacts = { projectId: 'p', repo: 'r', branch: 'b', command: ['make'], env: {} };

/** A recorder and a reader in a home of their own. They are closed with the test. */
export function buildsSetup(options: Partial<RecorderOptions> = {}) {
  const home = realpathSync(temporaryFolder());
  const database = openDatabase({ home });
  const store = openBuildStore(database);
  const live = new LiveFeed();
  const recorder = new BuildRecorder({
    home,
    store,
    live,
    log: createLog({ level: 'silent' }),
    keep: 100,
    mask: (text) => text,
    ...options,
  });
  onTestFinished(async () => {
    await store.close();
    await database.close();
  });
  return { home, database, store, live, recorder, reader: new BuildReader({ home, store }) };
}

/** What is published on a channel from now on. */
export function heardOn(live: LiveFeed, channel: string): LiveMessage[] {
  const heard: LiveMessage[] = [];
  live.watch(channel, { onMessage: (message) => void heard.push(message), whenRoom: () => undefined });
  return heard;
}
