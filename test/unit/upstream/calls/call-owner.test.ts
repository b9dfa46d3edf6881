import { expect, test } from 'vitest';
import { type Effect, type ErrorCode, GatewayError } from '../../../../src/core/errors.ts';
import type { Caller, ClientFacts } from '../../../../src/core/providers/provider.ts';
import { isOverAtUpstream, withLastWords } from '../../../../src/upstream/calls/call-errors.ts';
import { ownerOf } from '../../../../src/upstream/calls/call-owner.ts';

const owner = (sessionId: string, client: Partial<ClientFacts>) =>
  ownerOf({ sessionId, client: { clientId: 'http', ...client } } as unknown as Caller);

test.each<[string, string, Partial<ClientFacts>, string]>([
  ['a legacy client owns them by its session', 's', { era: 'legacy', principal: 'p', clientInfo: '{"name":"a"}' }, 's'],
  ['a modern client on one pipe does, too', 'http', { era: 'modern', clientInfo: '{"name":"a"}' }, 'http'],
  [
    'an authenticated client owns those of all its calls',
    'call-1',
    { era: 'modern', principal: 'p', clientInfo: '1' },
    'http',
  ],
  ['the name tells programs apart that share an endpoint', 'call-1', { era: 'modern', clientInfo: '"a"' }, 'http "a"'],
  ['programs without a name are one', 'call-1', { era: 'modern' }, 'http '],
])('the data of calls: %s', (_what, sessionId, client, expected) => {
  expect(owner(sessionId, client)).toBe(expected);
});

test.each<[ErrorCode, Effect, boolean]>([
  ['UPSTREAM_TIMEOUT', 'unknown', false],
  ['UPSTREAM_NOT_CONNECTED', 'none', true],
  ['UPSTREAM_INVALID_ANSWER', 'unknown', true],
  ['ANSWER_TOO_LARGE', 'unknown', true],
])('a call that failed with %s (effect: %s) is over at its upstream: %s', (code, effect, isOver) => {
  expect(isOverAtUpstream(new GatewayError(code, 'x', { effect }))).toBe(isOver);
});

test('the last words of a process are added to failures of a process that is away, if it has said any', () => {
  const failed = (code: ErrorCode, words: string) =>
    withLastWords(new GatewayError(code, 'up: gone'), () => words).message;
  expect(failed('UPSTREAM_EXITED', 'Segmentation fault')).toBe('up: gone. Segmentation fault');
  expect([failed('UPSTREAM_EXITED', ''), failed('UPSTREAM_TIMEOUT', 'x')]).toEqual(['up: gone', 'up: gone']);
});
