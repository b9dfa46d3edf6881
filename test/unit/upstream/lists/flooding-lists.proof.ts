import { afterEach, expect, test, vi } from 'vitest';
import type { Descriptor } from '../../../../src/core/providers/provider.ts';
import { NO_TRAITS } from '../../../../src/core/settings/upstream-entry.ts';
import type { Log } from '../../../../src/telemetry/log.ts';
import { KnownLists, type KnownListsHost } from '../../../../src/upstream/lists/known-lists.ts';
import { NO_ENTRIES } from '../../../../src/upstream/lists/read-list.ts';
import { UpstreamLists } from '../../../../src/upstream/lists/upstream-lists.ts';
import { entryOf } from '../entries.ts';
import { ScriptedServer } from './scripted-server.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What lists need of the gateway, and the events that were logged. */
function surroundings(): { host: KnownListsHost & { traits: typeof NO_TRAITS }; count: (event: string) => number } {
  const events: string[] = [];
  const note = ({ event = '' }: { event?: string }) => events.push(event);
  const host = {
    entry: entryOf(),
    traits: NO_TRAITS,
    cache: {
      load: () => undefined,
      save: () => undefined,
      saveInSlices: () => Promise.resolve(),
      loadAsking: () => undefined,
      saveAsking: () => undefined,
    },
    eras: { load: () => undefined, save: () => undefined, forget: () => undefined },
    pins: { load: () => new Map(), save: () => undefined, upstreams: () => [] },
    log: { warn: note, info: note, debug: note } as unknown as Log,
    accepts: () => true,
    transform: undefined,
    onChanged: () => undefined,
    onRestored: () => undefined,
  };
  return { host, count: (event: string) => events.filter((one) => one === event).length };
}

const many = <Item>(make: (name: string) => Item, prefix = 't') =>
  Array.from({ length: 500 }, (_, index) => make(`${prefix}${index}`));

const tool = (ownName: string): Descriptor => {
  const text = JSON.stringify({ name: ownName, inputSchema: { type: 'object' } });
  return { kind: 'tool', ownName, text, nameSpan: { start: 8, end: 8 }, fingerprint: ownName, isSuspicious: true };
};

test('each read of a list logs a few of its entries, and none again that was logged before', () => {
  const { host, count } = surroundings();
  const known = new KnownLists(host);
  const counts = () => [count('entry-skipped'), count('suspicious'), count('pin-new')];
  const list = (prefix: string) => ({
    ...NO_ENTRIES,
    entries: many(tool, prefix),
    skipped: many((name) => ({ kind: 'tool', name, reason: 'broken' }) as const, prefix),
  });
  known.take('tool', list('a'));
  expect([...counts(), count('pin-more')]).toEqual([11, 11, 10, 1]);
  known.take('tool', list('a'));
  expect(counts().slice(0, 2)).toEqual([11, 11]);
  known.take('tool', list('b'));
  expect(counts().slice(0, 2)).toEqual([22, 22]);
});

test('a list that takes long to read is read again only after a rest, however often it changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { host } = surroundings();
  const lists = new UpstreamLists({
    ...host,
    hasOpenCalls: () => false,
    onListed: () => undefined,
    onUnlisted: () => undefined,
  });
  const tools = Array.from({ length: 5_000 }, (_, index) => ({
    name: `t${index}`,
    description: 'x\u200b'.repeat(300),
    inputSchema: { type: 'object' },
  }));
  const server = new ScriptedServer(() => ({ result: { tools } }));
  const facts = { era: 'legacy', protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} };
  lists.attach(server.link, facts as never);
  await expect.poll(() => lists.known.listing.tool.length).toBe(5_000);
  for (let count = 0; count < 10; count++) lists.onListChanged(['tool']);
  expect(server.count('tools/list')).toBe(1);
  const later = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  vi.advanceTimersByTime(1_000);
  expect(server.count('tools/list')).toBe(2);
  lists.detach();
});
