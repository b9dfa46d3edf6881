import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { orAfter } from '../../../../src/core/timing/or-after.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('the time is over also where garbage is collected before', async () => {
  const aborted = once(orAfter(new AbortController().signal, 500), 'abort');
  for (let round = 0; round < 5; round++) {
    await delay(20);
    collectGarbage();
  }
  await aborted;
});

test('the signal counts before the time is over', () => {
  const controller = new AbortController();
  const either = orAfter(controller.signal, 600_000);
  controller.abort('enough');
  expect(either.reason).toBe('enough');
});
