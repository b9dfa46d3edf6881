import { expect, test } from 'vitest';
import { TurnsByKey } from '../../../../src/core/timing/turns-by-key.ts';

test('work of one key runs one after the other, of other keys beside it, and a failure ends its turn', async () => {
  const turns = new TurnsByKey();
  const events: string[] = [];
  let endFirst: () => void = () => undefined;
  const first = turns.run('a', async () => {
    events.push('first');
    await new Promise<void>((resolve) => {
      endFirst = resolve;
    });
    throw new Error('it failed');
  });
  const second = turns.run('a', async () => events.push('second'));
  await turns.run('b', async () => events.push('other'));
  expect(events).toEqual(['first', 'other']);
  endFirst();
  await expect(first).rejects.toThrow('it failed');
  await second;
  expect(events).toEqual(['first', 'other', 'second']);
});
