import { expect, test } from 'vitest';
import { hasEnded, isGone, ownerName } from '../../../../src/core/processes/owner.ts';
import { ownStamp, stampText } from '../../../../src/core/processes/process-stamp.ts';

const named = (change: object) => `${stampText({ ...ownStamp(), ...change })} part`;

test('an owner is gone with its process, or when it was silent for too long', () => {
  const here = ownerName('part');
  const [ended, elsewhere] = [named({ startedAt: '1' }), named({ place: '00000000' })];
  expect([here, ended, elsewhere, 'no stamp'].map(hasEnded)).toEqual([false, true, undefined, undefined]);
  const now = Date.now();
  expect([here, ended, elsewhere, 'no stamp'].map((owner) => isGone(owner, now))).toEqual([false, true, false, false]);
  expect([here, elsewhere].map((owner) => isGone(owner, now - 60_001))).toEqual([true, true]);
});
