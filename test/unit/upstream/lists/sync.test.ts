import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../src/core/provider.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { Link } from '../../../../src/upstream/link.ts';
import { differenceOf, readLists } from '../../../../src/upstream/lists/sync.ts';
import { PeerFaults } from '../../../../src/upstream/peer-faults.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';

const list = (entries: string): Descriptor[] =>
  [...entries.matchAll(/(\S+)=(\S+)/g)].map(([, ownName, fingerprint]) => {
    return { kind: 'tool', ownName: ownName!, text: '', nameSpan: { start: 0, end: 0 }, fingerprint: fingerprint! };
  });

test.each([
  ['', '', { added: 0, updated: 0, removed: 0 }],
  ['a=1 b=1', 'a=1 b=1', { added: 0, updated: 0, removed: 0 }],
  ['a=1 b=1', 'b=1 a=1', { added: 0, updated: 0, removed: 0 }],
  ['', 'a=1 b=1', { added: 2, updated: 0, removed: 0 }],
  ['a=1 b=1', '', { added: 0, updated: 0, removed: 2 }],
  ['a=1 b=1 c=1', 'b=2 c=1 d=1', { added: 1, updated: 1, removed: 1 }],
  ['__proto__=1', 'constructor=1', { added: 1, updated: 0, removed: 1 }],
])('from "%s" to "%s": %j', (before, after, difference) => {
  expect(differenceOf(list(before), list(after))).toEqual(difference);
});

/** Lists of a server that answers each page with a time to live of its own, by method. */
function listsOf(ttl: Readonly<Record<string, readonly (number | string | undefined)[]>>, era: 'legacy' | 'modern') {
  const events = {
    onAsk: () => undefined,
    onAskCancelled: () => undefined,
    onNotification: () => undefined,
    onLateProgress: () => false,
    onHung: () => undefined,
  };
  const pages = new Map<string, number>();
  const transport = {
    pid: undefined,
    queuedBytes: 0,
    close: () => Promise.resolve(),
    send(bytes: Parameters<typeof toBuffer>[0]) {
      const { id, method } = JSON.parse(toBuffer(bytes).toString());
      const page = pages.get(method) ?? 0;
      pages.set(method, page + 1);
      const times = ttl[method] ?? [undefined];
      const member =
        String(method).split('/').at(-2) === 'templates' ? 'resourceTemplates' : String(method).split('/')[0]!;
      const nextCursor = page + 1 < times.length ? `page ${page + 1}` : undefined;
      const result = { [member]: [], ttlMs: times[page], nextCursor };
      queueMicrotask(() => link.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })))));
    },
  };
  const link: Link = new Link('up', transport, events, new PeerFaults(createLog({ level: 'silent' }), (text) => text));
  if (era === 'modern') link.speakModern('"e":1');
  const capabilities = { tools: { listChanged: true }, prompts: {} };
  return readLists(link, { upstream: 'up', capabilities, accepts: () => true });
}

test.each([
  ['the shortest of the pages', 'modern', { 'prompts/list': [5_000, 2_000, 9_000] }, 2_000],
  ['not that of lists whose changes are announced', 'modern', { 'tools/list': [1], 'prompts/list': [7] }, 7],
  ['none where there is none', 'modern', { 'prompts/list': [undefined] }, undefined],
  ['none where it is nonsense', 'modern', { 'prompts/list': ['soon', -1] }, undefined],
  ['none of a legacy server', 'legacy', { 'prompts/list': [5] }, undefined],
] as const)('for how long lists are good: %s', async (_what, era, ttl, expected) => {
  expect((await listsOf(ttl, era)).ttlMs).toBe(expected);
});
