import { expect, test } from 'vitest';
import type { ConnectionState } from '../../../../src/upstream/connection/machine.ts';
import { StateWaiters } from '../../../../src/upstream/status/state-waiters.ts';

const stateOf = (name: 'idle' | 'stopping') => ({ name, since: 0 }) as unknown as ConnectionState;

test('everybody who waits for a state gets it, now or later, and nobody another one', async () => {
  let state = stateOf('idle');
  const states = new StateWaiters(() => state);
  const isStopping = ({ name }: ConnectionState) => name === 'stopping';
  expect(await states.until(({ name }) => name === 'idle')).toBe(state);
  let met = 0;
  const waiting = [1, 2].map(async () => {
    const found = await states.until(isStopping);
    met++;
    return found;
  });
  states.onState();
  await Promise.resolve();
  expect(met).toBe(0);
  state = stateOf('stopping');
  states.onState();
  expect(await Promise.all(waiting)).toEqual([state, state]);
});
