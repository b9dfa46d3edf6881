import { describe, expect, test } from 'vitest';
import { attribute, type TrackedCall } from '../../../../../src/upstream/events/asks/attribution.ts';

const call = (sessionId: string, owner = sessionId, requestId = 1): TrackedCall => ({ requestId, sessionId, owner });
const A = call('A');
const B = call('B');

describe('attribute', () => {
  test.each([
    ['nothing is open', [], [], { kind: 'no-call' }],
    ['only a call that was given up is left', [], ['A'], { kind: 'over' }],
    ['one call is open', [A], [], { kind: 'client', calls: [A] }],
    ['calls of one session are open', [A, A], [], { kind: 'client', calls: [A, A] }],
    ['calls of two sessions are open', [A, B], [], { kind: 'unclear', isBusy: true }],
    ['the same owner gave up a call', [A], ['A'], { kind: 'client', calls: [A] }],
    ['another owner gave up a call', [A], ['B'], { kind: 'unclear', isBusy: false }],
  ] as const)('%s', (_what, open, leftOwners, verdict) => {
    expect(attribute({ open, leftOwners })).toEqual(verdict);
  });
});
