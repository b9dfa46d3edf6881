import { expect, onTestFinished, test } from 'vitest';
import { ChangeFeed } from '../../../../src/store/checkpoints/change-feed.ts';
import { noteChange } from '../../../../src/store/checkpoints/checkpoint-rows.ts';
import { type Database, openDatabase } from '../../../../src/store/database/database.ts';
import type { Engine } from '../../../../src/store/database/engine.ts';
import type { Watcher } from '../../../../src/store/database/watchers.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** A feed of changes in a SQLite file, which is woken by the test alone. `told` has what its listener was told. */
function open() {
  let file = openDatabase({ home: temporaryFolder() });
  const files = [file];
  onTestFinished(async () => {
    for (const one of files) await one.close();
  });
  const watchers: Watcher[] = [];
  const database = {
    run: <T>(work: (engine: Engine) => Promise<T>) => file.run(work),
    watch: (watcher: Watcher) => {
      watchers.push(watcher);
      return () => void watchers.splice(watchers.indexOf(watcher), 1);
    },
  } as unknown as Database;
  const feed = new ChangeFeed(database, 'self');
  const told: string[] = [];
  return {
    feed,
    told,
    watchers,
    listen: () => feed.listen((project) => told.push(project)),
    wake: (word?: string) => watchers[0]!(word),
    /** Notes a change in the file as any process does. */
    change: (project: string) =>
      file.run((engine) =>
        engine.queries.transaction().execute((queries) => noteChange(engine, queries, project, 'word')),
      ),
    replaceFile: () => {
      file = openDatabase({ home: temporaryFolder() });
      files.push(file);
    },
  };
}

/** Changes a project as another process does until the listener is told, so that all looks before have ended. */
async function settled({ change, wake, told }: ReturnType<typeof open>): Promise<void> {
  await expect
    .poll(async () => {
      await change('settled');
      wake();
      return told;
    })
    .toContain('settled');
  const last = told.length;
  await change('last');
  wake();
  await expect.poll(() => told.slice(last)).toContain('last');
  expect(told.splice(0).filter((project) => project !== 'settled' && project !== 'last')).toEqual([]);
}

test('what was changed before anybody listened is not told', async () => {
  const opened = open();
  await opened.change('before');
  opened.listen();
  await settled(opened);
});

test('a change of another process is told once, however often the feed is woken', async () => {
  const opened = open();
  opened.listen();
  await settled(opened);
  await opened.change('a');
  await opened.change('b');
  opened.wake();
  opened.wake();
  await expect.poll(() => opened.told.toSorted()).toEqual(['a', 'b']);
  opened.told.length = 0;
  await settled(opened);
});

test('a change of this process is told at once, and not when it is seen in the file', async () => {
  const opened = open();
  opened.listen();
  await settled(opened);
  const { seq } = await opened.change('own');
  opened.feed.onOwnChange('own', seq);
  expect(opened.told.splice(0)).toEqual(['own']);
  opened.wake();
  await settled(opened);
});

test('all projects of another file at the place are told', async () => {
  const opened = open();
  opened.listen();
  await settled(opened);
  opened.replaceFile();
  await opened.change('elsewhere');
  opened.wake();
  await expect.poll(() => opened.told).toEqual(['elsewhere']);
});

test('a word tells its project, unless this process has announced it or it is of another form', () => {
  const { feed, listen, wake, told } = open();
  listen();
  wake('other/p/q');
  wake(feed.wordFor('own'));
  wake('no form');
  expect(told).toEqual(['p/q']);
});

test('the database is watched once, and only while somebody listens', () => {
  const { feed, listen, watchers, told } = open();
  const stops = [listen(), listen()];
  expect(watchers).toHaveLength(1);
  stops[0]!();
  feed.onOwnChange('a', undefined);
  expect([watchers.length, told]).toEqual([1, ['a']]);
  stops[1]!();
  feed.onOwnChange('b', undefined);
  expect([watchers.length, told]).toEqual([0, ['a']]);
  listen();
  expect(watchers).toHaveLength(1);
  feed.end();
  expect(watchers).toHaveLength(0);
});

test('a listener that throws hides a change from no other one', () => {
  const { feed, listen, told } = open();
  feed.listen(() => {
    throw new Error('own fault');
  });
  listen();
  feed.onOwnChange('a', undefined);
  expect(told).toEqual(['a']);
});
