import { link, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchTimes } from '../../../src/config/watch.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { closeAll, replace, seen, startWatching } from './watch-calls.ts';

/** Hours between two polls: what is seen was seen by an event. */
const BY_EVENTS: WatchTimes = { debounceMs: 50, pollMs: 3_600_000 };

let folder: string;
let file: string;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'viaduct.yaml');
  await writeFile(file, 'one');
});

afterEach(closeAll);

describe('watchConfig, by events', () => {
  test('a file that is written, again and again', async () => {
    const calls = startWatching(file, BY_EVENTS);
    await seen(calls, () => writeFile(file, 'two'));
    await seen(calls, () => writeFile(file, 'three'));
  });

  test('a file that is replaced, again and again', async () => {
    const calls = startWatching(file, BY_EVENTS);
    await seen(calls, () => replace(file, 'two'));
    await seen(calls, () => replace(file, 'three'));
    await seen(calls, () => writeFile(file, 'four'));
  });

  test('a file that is removed and created again', async () => {
    const calls = startWatching(file, BY_EVENTS);
    await seen(calls, () => rm(file));
    await seen(calls, () => writeFile(file, 'two'));
  });

  test('a file that is written and then looks as before', async () => {
    const longAgo = new Date(1_000_000_000_000);
    await utimes(file, longAgo, longAgo);
    const calls = startWatching(file, BY_EVENTS);
    await seen(calls, async () => {
      await writeFile(file, 'two');
      await utimes(file, longAgo, longAgo);
    });
  });

  test('a file that is not there yet', async () => {
    await rm(file);
    const calls = startWatching(file, BY_EVENTS);
    await seen(calls, () => writeFile(file, 'one'));
  });

  test('a file that is written in two steps is reported once it is whole', async () => {
    const calls = startWatching(file, { ...BY_EVENTS, debounceMs: 1000 });
    await seen(calls, async () => {
      await writeFile(file, 'ha');
      await writeFile(file, 'half', { flag: 'a' });
      await replace(file, 'whole');
    });
    expect(calls.count()).toBe(1);
  });

  test('the target of a symbolic link, and the link itself', async () => {
    const linked = join(folder, 'link', 'viaduct.yaml');
    const targets = [join(folder, 'a', 'config.yaml'), join(folder, 'b', 'config.yaml')] as const;
    for (const name of ['link', 'a', 'b']) await mkdir(join(folder, name));
    for (const target of targets) await writeFile(target, 'one');
    await symlink(targets[0], linked);
    const calls = startWatching(linked, BY_EVENTS);
    await seen(calls, () => replace(targets[0], 'two'));
    await seen(calls, async () => {
      await symlink(targets[1], `${linked}.tmp`);
      await rename(`${linked}.tmp`, linked);
    });
    await seen(calls, () => replace(targets[1], 'three'));
  });

  test('a folder of symbolic links that is swapped as a whole, as Kubernetes does', async () => {
    for (const name of ['v1', 'v2']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'config.yaml'), name);
    }
    await symlink('v1', join(folder, 'data'));
    await symlink(join('data', 'config.yaml'), join(folder, 'config.yaml'));
    const calls = startWatching(join(folder, 'config.yaml'), BY_EVENTS);
    await seen(calls, async () => {
      await symlink('v2', join(folder, 'data.tmp'));
      await rename(join(folder, 'data.tmp'), join(folder, 'data'));
    });
  });

  test('other files in the folder are none of its business', async () => {
    const calls = startWatching(file, BY_EVENTS);
    const other = startWatching(join(folder, 'other'), BY_EVENTS);
    await seen(other, () => writeFile(join(folder, 'other'), 'x'));
    // Had the other file been mistaken for ours, that would be reported before this.
    await seen(calls, () => writeFile(file, 'two'));
    expect(calls.count()).toBe(1);
  });
});

describe('watchConfig, by polling', () => {
  const BY_POLLING: WatchTimes = { debounceMs: 20, pollMs: 30 };

  test('a folder that is removed and created again', async () => {
    const sub = join(folder, 'sub');
    await mkdir(sub);
    await writeFile(join(sub, 'viaduct.yaml'), 'one');
    const calls = startWatching(join(sub, 'viaduct.yaml'), BY_POLLING);
    await seen(calls, () => rm(sub, { recursive: true }));
    await seen(calls, async () => {
      await mkdir(sub);
      await writeFile(join(sub, 'viaduct.yaml'), 'two');
    });
    await seen(calls, () => writeFile(join(sub, 'viaduct.yaml'), 'three'));
  });

  test('a file that is written by another name, of which there is no event', async () => {
    await mkdir(join(folder, 'sub'));
    await link(file, join(folder, 'sub', 'other.yaml'));
    const calls = startWatching(file, BY_POLLING);
    await seen(calls, () => writeFile(join(folder, 'sub', 'other.yaml'), 'longer'));
  });

  test('a folder that is not there yet', async () => {
    const calls = startWatching(join(folder, 'later', 'viaduct.yaml'), BY_POLLING);
    await seen(calls, async () => {
      await mkdir(join(folder, 'later'));
      await writeFile(join(folder, 'later', 'viaduct.yaml'), 'one');
    });
  });

  test('a folder above that is exchanged, of which there is no event', async () => {
    for (const name of ['v1', 'v2']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'viaduct.yaml'), name);
    }
    await symlink('v1', join(folder, 'current'));
    const calls = startWatching(join(folder, 'current', 'viaduct.yaml'), BY_POLLING);
    await seen(calls, async () => {
      await symlink('v2', join(folder, 'next'));
      await rename(join(folder, 'next'), join(folder, 'current'));
    });
  });
});

test('closing twice is harmless', async () => {
  const { watch } = startWatching(file, BY_EVENTS);
  await watch.close();
  await expect(watch.close()).resolves.toBeUndefined();
});
