import { afterEach, expect, test, vi } from 'vitest';
import type { Era } from '../../../../src/core/providers/provider.ts';
import type { UpstreamEntry } from '../../../../src/core/settings/upstream-entry.ts';
import type { ServerFacts } from '../../../../src/upstream/connection/handshake.ts';
import { ListReader } from '../../../../src/upstream/lists/list-reader.ts';
import { entryOf, remoteEntryOf } from '../entries.ts';
import { listOf, ScriptedServer, type Take } from './scripted-server.ts';

const factsOf = (era: Era, capabilities: object = { tools: {} }) => ({ era, capabilities }) as ServerFacts;

function open(entry: UpstreamEntry = entryOf(), take: Take = ({ method }) => listOf(method, 'get-a', 'b')) {
  const entries: string[] = [];
  let turns = 0;
  const reader = new ListReader({
    entry,
    accepts: (name) => name !== 'b',
    onEntry: ({ ownName }) => void entries.push(ownName),
    onWork: () => turns++,
  });
  const server = new ScriptedServer(take);
  const read = async (kind: 'tool' | 'prompt', facts = factsOf('legacy')) => {
    if (facts.era === 'modern') server.link.speakModern('"e":1');
    const outcome = await reader.read(
      kind,
      { link: server.link, facts },
      new AbortController().signal,
      () => undefined,
    );
    if (outcome?.kind !== 'read') throw new Error(`it was not read: ${JSON.stringify(outcome)}`);
    return outcome.list;
  };
  return { read, entries, turns: () => turns };
}

/** Makes each look at the clock take longer than a turn may: how fast the machine is does not matter then. */
function slowClock(): void {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10;
    return now;
  });
}

afterEach(() => void vi.restoreAllMocks());

const names = (entries: readonly { readonly ownName: string }[]) => entries.map(({ ownName }) => ownName);

test('only tools are left out by the rules of the entry', async () => {
  slowClock();
  const { read, entries, turns } = open();
  const tools = await read('tool');
  expect([names(tools.entries), names(tools.filtered)]).toEqual([['get-a'], ['b']]);
  expect(names((await read('prompt')).entries)).toEqual(['get-a', 'b']);
  expect(entries).toContain('get-a');
  expect(turns()).toBeGreaterThan(0);
});

test('hints are added as the entry says at the time of the reading', async () => {
  const entry = { ...entryOf(), inferHints: false };
  const { read } = open(entry);
  expect((await read('tool')).entries[0]!.text).not.toContain('readOnlyHint');
  entry.inferHints = true;
  expect((await read('tool')).entries[0]!.text).toContain('readOnlyHint');
});

test('a lifetime counts where the server does not say when the list changes', async () => {
  const take: Take = ({ method }) => ({
    result: {
      ...listOf(method, 'get-a').result,
      resultType: 'complete',
      ttlMs: 90_000,
      cacheScope: 'private',
    } as never,
  });
  const { read } = open(entryOf(), take);
  expect((await read('tool', factsOf('modern'))).ttlMs).toBe(90_000);
  expect((await read('tool', factsOf('modern', { tools: { listChanged: true } }))).ttlMs).toBeUndefined();
});

test.each([
  ['a modern server over HTTP', remoteEntryOf('http://127.0.0.1:1/'), 'modern', 0],
  ['a legacy server over HTTP', remoteEntryOf('http://127.0.0.1:1/'), 'legacy', 1],
  ['a modern server in a process', entryOf(), 'modern', 1],
] as const)('a wrong parameter header makes a tool unusable for %s only', async (_what, entry, era, count) => {
  const properties = { a: { type: 'object', 'x-mcp-header': 'A' } };
  const tool = { name: 'get-a', inputSchema: { type: 'object', properties } };
  const { read } = open(entry, () => ({
    result: { tools: [tool], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
  }));
  const list = await read('tool', factsOf(era));
  expect([list.entries.length, list.skipped.length]).toEqual([count, 1 - count]);
});
