import { expect, test, vi } from 'vitest';
import { Database } from '../../../../src/store/database/database.ts';
import type { Engine } from '../../../../src/store/database/engine.ts';
import type { EngineManifest } from '../../../../src/store/database/engines/manifest.ts';
import type { FaultsOf } from '../../../../src/store/database/store-errors.ts';

type Fault = 'busy' | 'broken';

class EngineError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

/** An engine that the test makes stale, and that counts who watches it. */
class TestEngine {
  isGone = false;
  closed = 0;
  watchers = 0;

  isStale(): boolean {
    return this.isGone;
  }

  watch(): () => void {
    this.watchers++;
    return () => void this.watchers--;
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

/** A database whose engines the test sees; `opening` runs before each of them opens. */
function database(opening: () => Promise<void> = async () => undefined) {
  const engines: TestEngine[] = [];
  const open = async () => {
    await opening();
    const engine = new TestEngine();
    engines.push(engine);
    return engine as unknown as Engine;
  };
  const faultsOf: FaultsOf = (error) =>
    error instanceof EngineError
      ? {
          says: (place) => `${place} is ${error.fault}`,
          isBusy: error.fault === 'busy',
          isBroken: error.fault === 'broken',
        }
      : undefined;
  const manifest = {
    name: 'test',
    shownPlace: () => 'the test database',
    load: async () => ({ open, faultsOf }),
  } as unknown as EngineManifest;
  return { engines, database: new Database({ home: '/nowhere' }, manifest) };
}

const nothing = async () => undefined;

test('one engine is open for all', async () => {
  const { engines, database: opened } = database();
  await Promise.all([opened.run(nothing), opened.run(nothing)]);
  await opened.run(nothing);
  expect(engines).toHaveLength(1);
});

test('a failure of the work itself is passed on, and the engine stays', async () => {
  const { engines, database: opened } = database();
  const failed = opened.run(async () => Promise.reject(new TypeError('own fault')));
  await expect(failed).rejects.toThrow(new TypeError('own fault'));
  await opened.run(nothing);
  expect([engines.length, engines[0]!.closed]).toEqual([1, 0]);
});

test('work is done again while another process holds the database', async () => {
  const { engines, database: opened } = database();
  let tries = 0;
  const done = opened.run(async () => {
    if (++tries < 3) throw new EngineError('busy');
    return 'done';
  });
  expect(await done).toBe('done');
  expect([tries, engines.length, engines[0]!.closed]).toEqual([3, 1, 0]);
});

test('a broken engine is closed, the failure says where, and the next use opens another one', async () => {
  const { engines, database: opened } = database();
  const failed = opened.run(async () => Promise.reject(new EngineError('broken')));
  await expect(failed).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: 'the test database is broken (broken)',
  });
  await opened.run(nothing);
  expect(engines.map(({ closed }) => closed)).toEqual([1, 0]);
});

test('work that fails because its engine was replaced meanwhile is done again on the new one', async () => {
  const { engines, database: opened } = database();
  const used: Engine[] = [];
  await opened.run(async (engine) => {
    used.push(engine);
    if (used.length > 1) return;
    engines[0]!.isGone = true;
    await opened.run(nothing);
    throw new Error('the connection was closed');
  });
  expect(used).toEqual(engines);
});

test('a stale engine is closed, and another one is opened', async () => {
  const { engines, database: opened } = database();
  await opened.run(nothing);
  engines[0]!.isGone = true;
  await opened.run(nothing);
  expect(engines.map(({ closed }) => closed)).toEqual([1, 0]);
});

test('after a failed opening the next use opens it again', async () => {
  let isFailing = true;
  const { engines, database: opened } = database(async () => {
    if (isFailing) throw new Error('not yet');
  });
  await expect(opened.run(nothing)).rejects.toThrow('not yet');
  isFailing = false;
  await opened.run(nothing);
  expect(engines).toHaveLength(1);
});

test('a closed database closes its engine once, and refuses work', async () => {
  const { engines, database: opened } = database();
  await opened.run(nothing);
  await opened.close();
  await opened.close();
  expect(engines[0]!.closed).toBe(1);
  await expect(opened.run(nothing)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: 'The store is closed',
  });
});

test('closing waits for an engine that is being opened, and no watcher is left on it', async () => {
  let go: (() => void) | undefined;
  const { engines, database: opened } = database(() => new Promise((resolve) => (go = resolve)));
  opened.watch(() => undefined);
  await expect.poll(() => go).toBeDefined();
  const closing = opened.close();
  go!();
  await closing;
  expect(engines.map(({ closed, watchers }) => [closed, watchers])).toEqual([[1, 0]]);
});

test('a watcher goes over to the next engine, and is woken by the change', async () => {
  const { engines, database: opened } = database();
  const words: unknown[] = [];
  const stop = opened.watch((word) => words.push(word));
  await opened.run(nothing);
  expect([engines[0]!.watchers, words]).toEqual([1, []]);
  engines[0]!.isGone = true;
  await opened.run(nothing);
  expect([engines.map(({ watchers }) => watchers), words]).toEqual([[0, 1], [undefined]]);
  stop();
  expect(engines[1]!.watchers).toBe(0);
  await opened.close();
});

test('a watcher that comes later watches the open engine at once', async () => {
  const { engines, database: opened } = database();
  await opened.run(nothing);
  opened.watch(() => undefined);
  expect(engines[0]!.watchers).toBe(1);
  await opened.close();
  expect(engines[0]!.watchers).toBe(0);
});

test('the database is looked at from time to time as long as somebody watches', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { database: opened } = database();
    const [one, other] = [opened.watch(() => undefined), opened.watch(() => undefined)];
    expect(vi.getTimerCount()).toBe(1);
    one();
    expect(vi.getTimerCount()).toBe(1);
    other();
    expect(vi.getTimerCount()).toBe(0);
    opened.watch(() => undefined);
    expect(vi.getTimerCount()).toBe(1);
    await opened.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
