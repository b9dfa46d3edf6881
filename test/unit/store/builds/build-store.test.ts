import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { NewBuild } from '../../../../src/core/stores/build-store.ts';
import { openBuildStore } from '../../../../src/store/builds/open-build-store.ts';
import { databases, KINDS } from '../../../support/stores/databases.ts';

const newBuild = (more: Partial<NewBuild> = {}): NewBuild => ({
  id: randomUUID(),
  projectId: 'p',
  repo: 'viaduct',
  branch: 'main',
  command: 'make all',
  runner: '12-34-abcdef01',
  machine: 'here',
  host: 'my host',
  startedMs: 1_000,
  ...more,
});

describe.each(KINDS)('builds in %s', (kind) => {
  const { newPlace, open } = databases(kind);
  const openIn = (place: Awaited<ReturnType<typeof newPlace>>) => open(place, openBuildStore).store;

  test('are kept from their start to their end, also for another process', async ({ skip }) => {
    const place = await newPlace(skip);
    const store = openIn(place);
    const build = newBuild({ command: 'make \u{1F980}\0', projectId: undefined, runner: undefined });
    await store.start(build);
    const running = {
      ...build,
      command: 'make \u{1F980}\u{FFFD}',
      status: 'running',
      exitCode: undefined,
      endedMs: undefined,
      logFault: undefined,
    };
    expect(await store.get(build.id)).toEqual(running);
    await store.end(build.id, { status: 'failed', exitCode: 2, endedMs: 5_000, logFault: 'full' });
    const ended = { ...running, status: 'failed', exitCode: 2, endedMs: 5_000, logFault: 'full' };
    expect(await openIn(place).get(build.id)).toEqual(ended);
    expect(await store.get(randomUUID())).toBeUndefined();
  });

  test('end once', async ({ skip }) => {
    const store = openIn(await newPlace(skip));
    const build = newBuild();
    await store.start(build);
    await store.end(build.id, { status: 'success', exitCode: 0, endedMs: 2_000 });
    await store.end(build.id, { status: 'lost', endedMs: 9_000 });
    expect(await store.get(build.id)).toMatchObject({ status: 'success', exitCode: 0, endedMs: 2_000 });
  });

  test('are listed newest first, by project, repository and time', async ({ skip }) => {
    const store = openIn(await newPlace(skip));
    const builds = [
      newBuild({ projectId: 'a', repo: 'one', startedMs: 1 }),
      newBuild({ projectId: 'b', repo: 'two', startedMs: 3 }),
      newBuild({ projectId: undefined, repo: 'one', startedMs: 3 }),
      newBuild({ projectId: "it's", repo: 'one', startedMs: 2 }),
    ];
    for (const build of builds) await store.start(build);
    const numbers = async (query: Parameters<typeof store.list>[0]) =>
      (await store.list(query)).map(({ id }) => builds.findIndex((build) => build.id === id));
    expect(await numbers({ limit: 10 })).toEqual([2, 1, 3, 0]);
    expect(await numbers({ limit: 2 })).toEqual([2, 1]);
    expect(await numbers({ projects: ['a', "it's"], limit: 10 })).toEqual([3, 0]);
    expect(await numbers({ projects: [], limit: 10 })).toEqual([]);
    expect(await numbers({ repo: 'one', since: 1.5, limit: 10 })).toEqual([2, 3]);
    expect(new Set(await store.projects())).toEqual(new Set(['a', 'b', "it's", undefined]));
  });

  test('are removed when there are more than are kept: never running ones or those of another machine', async ({
    skip,
  }) => {
    const store = openIn(await newPlace(skip));
    const [running, elsewhere, old, older, recent] = [
      newBuild(),
      newBuild({ machine: 'there' }),
      newBuild(),
      newBuild(),
      newBuild(),
    ] as const;
    for (const build of [running, elsewhere, old, older, recent]) await store.start(build);
    for (const { id } of [elsewhere, old, older, recent]) await store.end(id, { status: 'success', endedMs: 1 });
    expect(await store.prune('here', 3)).toEqual([]);
    expect(new Set(await store.prune('here', 1))).toEqual(new Set([old.id, older.id]));
    const left = (await store.list({ limit: 10 })).map(({ id }) => id);
    expect(new Set(left)).toEqual(new Set([running.id, elsewhere.id, recent.id]));
    expect(await store.prune('here', 0)).toEqual([recent.id]);
    expect(await store.prune('here', 0)).toEqual([]);
  });
});
