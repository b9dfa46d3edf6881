import { describe, expect, test } from 'vitest';
import type { EntryKind } from '../../../../src/core/providers/provider.ts';
import { LISTS } from '../../../../src/upstream/lists/list-methods.ts';
import { type ReadListOptions, readList } from '../../../../src/upstream/lists/read-list.ts';
import { listOf, ScriptedServer, type Take } from './scripted-server.ts';

function read(server: ScriptedServer, kind: EntryKind = 'tool', changes: Partial<ReadListOptions> = {}) {
  return readList(server.link, kind, {
    upstream: 'up',
    accepts: () => true,
    heedsTtl: true,
    totalMs: 60_000,
    signal: new AbortController().signal,
    onPage: () => undefined,
    ...changes,
  });
}

/** A server whose pages are these; the cursor of each is its number, unless it says another. */
const paged =
  (...pages: readonly object[]): Take =>
  ({ method, cursor }) => {
    const page = cursor === undefined ? 0 : Number(cursor);
    const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
    return { result: { ...listOf(method, `t${page}`).result, ...next, ...pages[page] } };
  };

const namesIn = (outcome: Awaited<ReturnType<typeof read>>) =>
  outcome?.kind === 'read' ? outcome.list.entries.map(({ ownName }) => ownName) : outcome;

describe('pages', () => {
  test('are followed to the end', async () => {
    const server = new ScriptedServer(paged({}, {}, {}));
    expect(namesIn(await read(server))).toEqual(['t0', 't1', 't2']);
    expect(server.asked.map(({ cursor }) => cursor)).toEqual([undefined, '1', '2']);
  });

  test.each([[''], [null], [7]])('a next cursor of %j is none', async (nextCursor) => {
    const server = new ScriptedServer(paged({ nextCursor }));
    const outcome = await read(server);
    expect(namesIn(outcome)).toEqual(['t0']);
    expect(outcome).toMatchObject({ list: { remark: undefined } });
    expect(server.count()).toBe(1);
  });

  test('that never end are read once, and that is said', async () => {
    const outcome = await read(new ScriptedServer(paged({ nextCursor: '1' }, { nextCursor: '1' })));
    expect(namesIn(outcome)).toEqual(['t0', 't1']);
    expect(outcome).toMatchObject({ list: { remark: 'tools/list never ends (1 pages read); the rest was left out' } });
  });

  test('that take too long together are a failure, with what was read until then', async () => {
    const server = new ScriptedServer(paged({}, {}, {}));
    expect(await read(server, 'tool', { totalMs: 0 })).toMatchObject({
      kind: 'failed',
      problem: {
        code: 'UPSTREAM_TIMEOUT',
        text: 'tools/list took longer than 0 s (1 pages read); the rest was left out',
      },
      partial: { entries: [{ ownName: 't0' }] },
    });
    expect(server.count()).toBe(1);
  });

  test('that are too many are left out, and that is said', async () => {
    const tools = Array.from({ length: 20_001 }, (_, index) => ({
      name: `t${index}`,
      inputSchema: { type: 'object' },
    }));
    const outcome = await read(new ScriptedServer(paged({ tools }, {})));
    expect(namesIn(outcome)).toHaveLength(20_000);
    expect(outcome).toMatchObject({ list: { remark: expect.stringMatching(/^tools\/list is too long/) as string } });
  });

  test('of entries that cannot be offered are cut off as well, and little is kept of each', async () => {
    const page = {
      tools: [...Array.from({ length: 25_000 }, () => 1), { name: 'x'.repeat(1_000_000), inputSchema: 1 }],
    };
    const server = new ScriptedServer(({ cursor }) =>
      cursor === undefined
        ? { result: { tools: [{ name: 'x'.repeat(1_000_000), inputSchema: 1 }], nextCursor: '1' } }
        : { result: { ...page, nextCursor: `${cursor}1` } },
    );
    const outcome = await read(server);
    expect(server.count()).toBe(2);
    const skipped = outcome?.kind === 'read' ? outcome.list.skipped : [];
    expect(skipped).toHaveLength(20_000);
    expect(skipped[0]!.name.length).toBeLessThan(400);
  });

  test('of which a later one fails are no list: what came before it is told apart', async () => {
    const take: Take = (asked) =>
      asked.cursor === undefined ? paged({}, {})(asked) : { error: { code: -32601, message: 'no' } };
    const outcome = await read(new ScriptedServer(take));
    expect(outcome).toMatchObject({
      kind: 'failed',
      problem: { text: 'page 2 of tools/list was answered with an error: no (-32601)' },
      partial: { entries: [{ ownName: 't0' }] },
    });
  });
});

describe('what is no list', () => {
  test('a server without such a list says so', async () => {
    const server = new ScriptedServer(() => ({ error: { code: -32601, message: 'Method not found' } }));
    expect(await read(server, 'template')).toEqual({ kind: 'absent' });
  });

  test.each([
    [{ error: { code: -32603, message: 'starting' } }, 'was answered with an error: starting (-32603)'],
    [{ error: { code: -32603 } }, 'was answered with an error: {"code":-32603}'],
    [{ result: { things: [] } }, 'was answered without "prompts"'],
    [{ result: [] as object }, 'was answered with no result'],
    [{ failure: { reason: 'it answered with HTTP 501' } }, 'failed: it answered with HTTP 501'],
  ] as const)('%j', async (answer, said) => {
    const outcome = await read(new ScriptedServer(() => answer as never), 'prompt');
    expect(outcome).toMatchObject({ kind: 'failed', problem: { text: `prompts/list ${said}` } });
    expect(outcome).not.toHaveProperty('partial', expect.anything());
  });

  test('the time that a server asks for is kept', async () => {
    const server = new ScriptedServer(() => ({ failure: { code: 'OVERLOADED', retryAfterMs: 7_000 } }));
    expect(await read(server)).toMatchObject({ problem: { code: 'OVERLOADED', retryAfterMs: 7_000 } });
  });

  test('invisible characters of a server do not reach people', async () => {
    const server = new ScriptedServer(() => ({ error: { code: -1, message: 'a\u202eb\u001b[31mc' } }));
    expect(await read(server)).toMatchObject({ problem: { text: 'tools/list was answered with an error: abc (-1)' } });
  });
});

test('a reading that is given up tells the server, and gives nothing', async () => {
  const server = new ScriptedServer(() => undefined);
  const giveUp = new AbortController();
  const outcome = read(server, 'tool', { signal: giveUp.signal });
  giveUp.abort();
  expect(await outcome).toBeUndefined();
  expect(server.cancelled).toEqual(server.idsOf('tools/list'));
});

test.each([
  ['the shortest of the pages', 'modern', [5_000, 2_000, 9_000], true, 2_000],
  ['none where changes are announced', 'modern', [1], false, undefined],
  ['none where there is none', 'modern', [undefined], true, undefined],
  ['none where it is nonsense', 'modern', ['soon', -1], true, undefined],
  ['none of a legacy server', 'legacy', [5], true, undefined],
] as const)('for how long a list is good: %s', async (_what, era, times, heedsTtl, expected) => {
  const server = new ScriptedServer(paged(...times.map((ttlMs) => ({ ttlMs }))));
  if (era === 'modern') server.link.speakModern('"e":1');
  const outcome = await read(server, 'tool', { heedsTtl });
  expect(outcome?.kind === 'read' ? outcome.list.ttlMs : outcome).toBe(expected);
});

test('every kind is asked for by its own method', async () => {
  for (const [kind, { method }] of Object.entries(LISTS)) {
    const server = new ScriptedServer(({ method: asked }) => listOf(asked, 'one'));
    expect(await read(server, kind as EntryKind)).toMatchObject({ kind: 'read', list: { entries: [{ kind }] } });
    expect(server.asked[0]!.method).toBe(method);
  }
});

describe('a long list', () => {
  const tools = Array.from({ length: 5_000 }, (_, index) => ({
    name: `t${index}`,
    description: 'd'.repeat(1_000),
    inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'x\u200b'.repeat(100) } } },
  }));
  const server = () => new ScriptedServer(paged({ tools }));

  test('is judged in turns: others have theirs meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const work: number[] = [];
    const takeTurns = () => {
      turns++;
      if (!isOver) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    const outcome = await read(server(), 'tool', { onWork: (ms) => work.push(ms) });
    isOver = true;
    expect(namesIn(outcome)).toHaveLength(5_000);
    expect(Math.min(turns, work.length)).toBeGreaterThan(3);
    expect(Math.min(...work)).toBeGreaterThanOrEqual(0);
    // The page is parsed, then its entries are examined in pieces.
    expect(work[0]).toBeGreaterThan(25);
  });

  test('is judged no further when nobody wants it any more', async () => {
    const giving = new AbortController();
    const seen: string[] = [];
    const outcome = await read(server(), 'tool', {
      signal: giving.signal,
      onEntry: ({ ownName }) => seen.push(ownName),
      onWork: () => seen.length > 0 && giving.abort(),
    });
    expect(outcome).toBeUndefined();
    expect(seen.length).toBeLessThan(5_000);
  });
});

test('an entry of more than a mebibyte is left out', async () => {
  const sized = (name: string, length: number) => ({
    name,
    description: 'd'.repeat(length),
    inputSchema: { type: 'object' },
  });
  const outcome = await read(new ScriptedServer(paged({ tools: [sized('a', 1_000_000), sized('b', 1_048_576)] })));
  expect(namesIn(outcome)).toEqual(['a']);
  expect(outcome).toMatchObject({
    list: { skipped: [{ reason: expect.stringMatching(/^the entry has \d+ bytes; at most 1048576 are/) as string }] },
  });
});
