import { expect, test } from 'vitest';
import type { ClientSession, Provider } from '../../../../../src/core/providers/provider.ts';
import { RootsTeller, type RootsTellerHost } from '../../../../../src/upstream/events/roots/roots-teller.ts';

/** An upstream whose only client is A. */
function open({ era = 'legacy', isMissed = false, isConnected = true } = {}) {
  const told: string[] = [];
  const provider = { id: 'up' } as Provider;
  const link = { era, outbox: { notify: (method: string) => void told.push(method) } };
  const teller = new RootsTeller({
    provider,
    directory: { sole: (one) => (one === provider ? ({ sessionId: 'A' } as ClientSession) : undefined) },
    connection: { link: isConnected ? link : undefined } as unknown as RootsTellerHost['connection'],
    asks: { rootsMissed: isMissed },
  });
  return { teller, told };
}

test('roots of the only client are told to a legacy upstream', () => {
  const { teller, told } = open();
  teller.onRootsChanged('B');
  expect(told).toEqual([]);
  teller.onRootsChanged('A');
  expect(told).toEqual(['notifications/roots/list_changed']);
});

test.each([
  ['a modern upstream', { era: 'modern' }],
  ['an upstream without a connection', { isConnected: false }],
])('%s is told nothing', (_what, upstream) => {
  const { teller, told } = open({ ...upstream, isMissed: true });
  teller.onRootsChanged('A');
  teller.onSessionReady('A');
  expect(told).toEqual([]);
});

test.each([
  [true, 1],
  [false, 0],
])('a client that is ready has new roots where the upstream has missed some: %s', (isMissed, count) => {
  const { teller, told } = open({ isMissed });
  teller.onSessionReady('B');
  teller.onSessionReady('A');
  expect(told).toHaveLength(count);
});
