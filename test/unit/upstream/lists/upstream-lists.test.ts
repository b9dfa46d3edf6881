import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_TRAITS } from '../../../../src/core/settings/upstream-entry.ts';
import type { StoredListing } from '../../../../src/core/stores/listing-cache.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { UpstreamLists } from '../../../../src/upstream/lists/upstream-lists.ts';
import { entryOf } from '../entries.ts';
import { fakeTime, realTime } from '../fake-time.ts';
import { failureOf, type ListMethodName, listOf, members, ScriptedServer, type Take } from './scripted-server.ts';

beforeEach(fakeTime);
afterEach(realTime);

const METHODS = Object.keys(members) as ListMethodName[];
const ALL = { tools: { listChanged: true }, prompts: {}, resources: {} };
const FAILS = { error: { code: -32603, message: 'starting' } };
const ABSENT = { error: { code: -32601, message: 'Method not found' } };

/** Every list has one entry, but those that are taken otherwise. */
const well =
  (...otherwise: readonly (readonly [string, ReturnType<Take>])[]): Take =>
  ({ method }) => {
    const other = otherwise.find(([name]) => name === method);
    return other === undefined ? listOf(method, 'one') : other[1];
  };

/** The lists of an upstream, and what its owner was told. */
function open({
  asksUser = false,
  stored = undefined as StoredListing | undefined,
  capabilities = ALL as object,
} = {}) {
  const told: string[] = [];
  const saved: StoredListing[] = [];
  const pinned: string[] = [];
  let openCalls = false;
  let changes = 0;
  const lists = new UpstreamLists({
    entry: entryOf(),
    traits: { ...NO_TRAITS, asksUser, waitingHint: asksUser ? 'Ask the user' : '' },
    cache: {
      load: () => stored,
      save: (_entry, listing) => saved.push(listing),
      saveInSlices: async (_entry, listing) => void saved.push(listing),
      loadAsking: () => undefined,
      saveAsking: () => undefined,
    },
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    pins: { load: () => 'none', save: (_key, book) => pinned.push(...book.keys()) },
    log: createLog({ level: 'silent' }),
    hasOpenCalls: () => openCalls,
    onListed: () => told.push('listed'),
    onUnlisted: (reason) => told.push(reason),
    onChanged: () => changes++,
  });
  const facts = { era: 'legacy', protocolVersion: '2025-11-25', capabilities, serverInfo: {}, instructions: undefined };
  return {
    lists,
    told,
    saved,
    pinned,
    changes: () => changes,
    setOpenCalls: (is: boolean) => {
      openCalls = is;
    },
    async attach(server: ScriptedServer): Promise<void> {
      lists.attach(server.link, facts as never);
      await soon();
    },
    /** The connection ends by itself. */
    lose(server: ScriptedServer): void {
      server.link.end({ reason: 'process exited' });
      lists.detach('process exited');
    },
    counts: () => Object.values(lists.known.listing).map((entries) => entries.length),
  };
}

const soon = () => vi.advanceTimersByTimeAsync(0);
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe.each(METHODS)('where %s fails', (method) => {
  const others = METHODS.map((name) => (name === method ? 0 : 1));

  test('at first, the others are there at once, and it is there soon after the server is well', async () => {
    const upstream = open();
    const server = new ScriptedServer(well([method, FAILS]));
    await upstream.attach(server);
    expect(upstream.counts()).toEqual(others);
    expect(upstream.lists.trouble).toMatchObject({
      reason: `${method} was answered with an error: starting (-32603)`,
      retryAt: Date.now() + 1_000,
      errors: [upstream.lists.trouble.reason],
    });
    const changes = upstream.changes();
    await seconds(6);
    expect(server.count(method)).toBe(3);
    expect(server.count()).toBe(6);
    expect(upstream.changes()).toBe(changes);
    server.take = well();
    await seconds(1);
    expect(upstream.counts()).toEqual([1, 1, 1, 1]);
    expect(upstream.changes()).toBe(changes + 1);
    expect(upstream.lists.trouble).toEqual({ errors: [] });
    await seconds(3_600);
    expect(server.count()).toBe(7);
  });

  test('later, what was known of it stands', async () => {
    const upstream = open();
    const server = new ScriptedServer(well());
    await upstream.attach(server);
    server.take = well([method, FAILS]);
    upstream.lists.onListChanged();
    await soon();
    expect(upstream.counts()).toEqual([1, 1, 1, 1]);
    expect(upstream.lists.trouble.reason).toContain(method);
    expect(upstream.told.at(-1)).toBe('listed');
  });

  test('by never being answered, the others are there, and it is taken whenever it comes', async () => {
    const upstream = open();
    const server = new ScriptedServer(well([method, undefined]));
    await upstream.attach(server);
    expect(upstream.counts()).toEqual(others);
    expect(upstream.lists.trouble).toEqual({ errors: [] });
    await seconds(15);
    expect(upstream.lists.trouble.reason).toContain(`${method} was not answered within 15 s`);
    server.answer(server.idsOf(method)[0]!, listOf(method, 'late') as never);
    await soon();
    expect(upstream.counts()).toEqual([1, 1, 1, 1]);
    expect(upstream.lists.trouble).toEqual({ errors: [] });
  });

  test('because there is none, it is empty, nothing is wrong, and it is not asked for again', async () => {
    const upstream = open();
    const server = new ScriptedServer(well([method, ABSENT]));
    await upstream.attach(server);
    await seconds(600);
    upstream.lists.onCall('unknown');
    await soon();
    expect(upstream.counts()).toEqual(others);
    expect(upstream.told.at(-1)).toBe('listed');
    expect(upstream.lists.trouble).not.toHaveProperty('reason');
    expect(server.count(method)).toBe(1);
  });
});

describe('what the upstream is there for', () => {
  test('without its tools it is not ready, and the reason says why', async () => {
    const upstream = open();
    await upstream.attach(new ScriptedServer(well(['tools/list', FAILS])));
    expect(upstream.told).toEqual(['tools/list was answered with an error: starting (-32603)']);
  });

  test('without another list it is', async () => {
    const upstream = open();
    await upstream.attach(new ScriptedServer(well(['prompts/list', FAILS], ['resources/list', FAILS])));
    expect(new Set(upstream.told)).toEqual(new Set(['listed']));
    expect(upstream.lists.trouble.reason).toMatch(/^prompts\/list .+; resources\/list /);
  });

  test('a server that declares nothing is asked for tools only', async () => {
    const upstream = open({ capabilities: {} });
    const server = new ScriptedServer(well());
    await upstream.attach(server);
    expect(server.asked.map(({ method }) => method)).toEqual(['tools/list']);
    expect(upstream.lists.known.isKnown()).toBe(true);
  });
});

describe('a list that is never answered', () => {
  test('is asked for again; the first question stays, of the later ones the newest', async () => {
    const upstream = open();
    const server = new ScriptedServer(well(['tools/list', undefined]));
    await upstream.attach(server);
    await seconds(120);
    const asked = server.idsOf('tools/list');
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(server.cancelled).toEqual(asked.slice(1, -1));
    server.answer(asked[0]!, listOf('tools/list', 'late') as never);
    await soon();
    expect(upstream.counts()[0]).toBe(1);
    expect(server.cancelled).toEqual(asked.slice(1));
  });

  test('holds up no sync, and none of the other lists', async () => {
    const upstream = open();
    const server = new ScriptedServer(well(['tools/list', undefined]));
    await upstream.attach(server);
    await seconds(15.5);
    const synced = failureOf(upstream.lists.sync());
    await soon();
    expect(server.count('prompts/list')).toBe(2);
    await seconds(15);
    expect(await synced).toMatchObject({ code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('tools/list') });
    server.take = well();
    await upstream.lists.sync();
    expect(upstream.counts()[0]).toBe(1);
  });

  test('is given all the time that its pages need, as long as they come', async () => {
    const upstream = open({ capabilities: { tools: {} } });
    const server = new ScriptedServer(() => undefined);
    await upstream.attach(server);
    for (let page = 0; page < 5; page++) {
      await seconds(14);
      const { id, method } = server.asked.at(-1)!;
      server.answer(id, {
        result: { ...listOf(method, `t${page}`).result, ...(page < 4 && { nextCursor: `${page}` }) },
      });
    }
    await soon();
    expect(upstream.counts()[0]).toBe(5);
    expect(server.count()).toBe(5);
  });

  test('is not asked for again where its server asks its user, until that shows a sign of life', async () => {
    const upstream = open({ asksUser: true });
    const server = new ScriptedServer(well(['tools/list', undefined]));
    await upstream.attach(server);
    await seconds(600);
    expect(server.count('tools/list')).toBe(1);
    expect(upstream.told.at(-1)).toBe('tools/list was not answered within 15 s. Ask the user');
    const synced = failureOf(upstream.lists.sync());
    await seconds(15);
    expect((await synced).message).toContain('Ask the user');
    expect(server.count('tools/list')).toBe(2);
    await seconds(600);
    expect(server.count('tools/list')).toBe(2);
    server.take = well();
    server.notify('notifications/message');
    await seconds(30);
    expect(server.count('tools/list')).toBe(3);
    expect(upstream.counts()[0]).toBe(1);
  });
});

describe('a sync', () => {
  test('reads what is newer than the answer on its way', async () => {
    const upstream = open({ capabilities: { tools: {} } });
    const server = new ScriptedServer(() => undefined);
    await upstream.attach(server);
    const synced = upstream.lists.sync();
    server.answer(server.asked[0]!.id, listOf('tools/list', 'old') as never);
    await soon();
    expect(server.count()).toBe(2);
    server.answer(server.asked[1]!.id, listOf('tools/list', 'new', 'newer') as never);
    await synced;
    expect(upstream.counts()[0]).toBe(2);
  });

  test('fails with the words of the list that it is there for, and with none of another', async () => {
    const upstream = open();
    const server = new ScriptedServer(well(['prompts/list', FAILS]));
    await upstream.attach(server);
    await upstream.lists.sync();
    server.take = well(['tools/list', { failure: { code: 'OVERLOADED', reason: 'busy', retryAfterMs: 60_000 } }]);
    expect(await failureOf(upstream.lists.sync())).toMatchObject({
      code: 'OVERLOADED',
      message: 'up: tools/list failed: busy',
    });
  });

  test('ends with its connection', async () => {
    const upstream = open();
    const server = new ScriptedServer(() => undefined);
    await upstream.attach(server);
    const synced = failureOf(upstream.lists.sync());
    upstream.lose(server);
    expect((await synced).code).toBe('UPSTREAM_NOT_CONNECTED');
    expect((await failureOf(upstream.lists.sync())).code).toBe('UPSTREAM_NOT_CONNECTED');
  });
});

describe('notices and calls', () => {
  test('a notice is about its own list', async () => {
    const upstream = open();
    const server = new ScriptedServer(well());
    await upstream.attach(server);
    upstream.lists.onListChanged(['prompt']);
    await soon();
    expect(server.asked.slice(4).map(({ method }) => method)).toEqual(['prompts/list']);
  });

  test('a call of a tool that is not listed has a list read that failed, and no other', async () => {
    const upstream = open();
    const server = new ScriptedServer(well(['tools/list', FAILS]));
    await upstream.attach(server);
    await seconds(5);
    server.take = well();
    upstream.lists.onCall('one');
    await soon();
    expect(upstream.counts()[0]).toBe(1);
    const { length } = server.asked;
    await seconds(5);
    upstream.lists.onCall('other');
    await soon();
    expect(server.asked).toHaveLength(length);
  });
});

describe('a list of which a later page fails', () => {
  const broken: Take = ({ method, cursor }) =>
    cursor === undefined ? { result: { ...listOf(method, 'one').result, nextCursor: 'x' } } : FAILS;

  test('does not take the place of what is known', async () => {
    const upstream = open({ capabilities: { tools: {} } });
    const server = new ScriptedServer(({ method }) => listOf(method, 'one', 'two'));
    await upstream.attach(server);
    server.take = broken;
    expect(await failureOf(upstream.lists.sync())).toMatchObject({
      message: expect.stringContaining('page 2 of tools/list'),
    });
    expect(upstream.counts()[0]).toBe(2);
  });

  test('is offered as far as it goes where nothing is known; nothing of it is kept or approved', async () => {
    const upstream = open({ capabilities: { tools: {} } });
    const server = new ScriptedServer(broken);
    await upstream.attach(server);
    expect(upstream.counts()[0]).toBe(1);
    expect(upstream.told.at(-1)).toContain('page 2 of tools/list');
    expect(upstream.saved.every(({ tool }) => tool === undefined)).toBe(true);
    expect(upstream.pinned).toEqual([]);
    server.take = ({ method }) => listOf(method, 'one', 'two');
    await seconds(1);
    expect(upstream.counts()[0]).toBe(2);
    expect(upstream.pinned).toEqual(['one', 'two']);
  });
});

describe('a list that ends the connection', () => {
  /** Connects anew each time that a list ends the connection, as a process does that exits. */
  async function live(deadly: readonly string[], forMs: number) {
    const upstream = open();
    const endings: { at: number; asked: readonly string[] }[] = [];
    const start = Date.now();
    let isWell = false;
    const connect = async (): Promise<void> => {
      let isOver = false;
      const server: ScriptedServer = new ScriptedServer((asked) => {
        if (isWell || !deadly.includes(asked.method)) return listOf(asked.method, 'one');
        queueMicrotask(() => {
          if (isOver) return;
          isOver = true;
          endings.push({ at: Date.now() - start, asked: server.asked.map(({ method }) => method) });
          upstream.lose(server);
          setTimeout(() => void connect(), 250);
        });
        return undefined;
      });
      await upstream.attach(server);
    };
    await connect();
    await vi.advanceTimersByTimeAsync(forMs);
    return {
      ...upstream,
      endings,
      heal: () => {
        isWell = true;
      },
    };
  }

  test.each(METHODS)('%s: the others are there, it comes alone after growing pauses, and heals', async (method) => {
    const { endings, counts, lists, heal } = await live([method], 120_000);
    const others = METHODS.map((name) => (name === method ? 0 : 1));
    expect(counts()).toEqual(others);
    expect(lists.trouble.reason).toContain(`${method}: the connection ended when it was asked for (process exited)`);
    const gaps = endings.slice(1).map(({ at }, index) => at - endings[index]!.at);
    expect(gaps).toEqual([250, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    for (const { asked } of endings.slice(1)) expect(asked.at(-1)).toBe(method);
    heal();
    await seconds(31);
    expect(counts()).toEqual([1, 1, 1, 1]);
  });

  test('two of them are found out one after the other', async () => {
    const { counts, heal } = await live(['prompts/list', 'resources/list'], 60_000);
    expect(counts()).toEqual([1, 0, 0, 1]);
    heal();
    await seconds(61);
    expect(counts()).toEqual([1, 1, 1, 1]);
  });

  test('waits until no call is open', async () => {
    const { endings, setOpenCalls } = await live(['prompts/list'], 10_000);
    setOpenCalls(true);
    const { length } = endings;
    await seconds(300);
    expect(endings).toHaveLength(length);
    setOpenCalls(false);
    await seconds(31);
    expect(endings.length).toBeGreaterThan(length);
  });
});

describe('what is kept between runs', () => {
  test('only lists that were read count as known', async () => {
    const first = open();
    await first.attach(new ScriptedServer(well(['prompts/list', FAILS])));
    const { readings, ...texts } = first.saved.at(-1)!;
    expect(Object.keys(texts).sort()).toEqual(['resource', 'template', 'tool']);
    expect(Object.keys(readings!.lists).sort()).toEqual(['resource', 'template', 'tool']);
    const second = open({ stored: first.saved.at(-1) });
    expect(second.counts()).toEqual([1, 0, 1, 1]);
    expect(second.lists.known.isKnown('tool')).toBe(true);
    expect(second.lists.known.isKnown('prompt')).toBe(false);
    expect(second.lists.known.isKnown()).toBe(false);
  });
});
