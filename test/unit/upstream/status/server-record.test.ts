import { expect, test } from 'vitest';
import type { ServerFacts } from '../../../../src/upstream/connection/handshake.ts';
import { ServerRecord } from '../../../../src/upstream/status/server-record.ts';

const FACTS = { era: 'legacy', capabilities: {} } as ServerFacts;
const reason = 'it ended';

test.each([
  [{ name: 'backoff', since: 1, attempt: 1, retryAt: 2, reason }, true],
  [{ name: 'crash-loop', since: 1, reason }, true],
  [{ name: 'failed', since: 1, reason }, true],
  [{ name: 'needs-auth', since: 1, reason }, true],
  [{ name: 'stopped', since: 1, reason, byHand: false }, true],
  [{ name: 'stopped', since: 1, reason, byHand: true }, false],
  [{ name: 'waiting', since: 1, reason }, false],
  [{ name: 'starting', since: 1, attempt: 1 }, false],
] as const)('a state of trouble is told from others, and its reason kept: %j', (state, isTrouble) => {
  const record = new ServerRecord();
  expect(record.onState(state)).toBe(isTrouble);
  expect(record.lastError).toBe(isTrouble ? reason : undefined);
});

test('a connection makes good what was wrong, and its facts outlast it', () => {
  const record = new ServerRecord();
  record.onState({ name: 'failed', since: 1, reason });
  expect(record.facts).toBeUndefined();
  record.onConnected(FACTS);
  expect(record.lastError).toBeUndefined();
  record.onState({ name: 'failed', since: 1, reason: 'again' });
  expect([record.facts, record.lastError]).toEqual([FACTS, 'again']);
});
