import { expect, test } from 'vitest';
import { HangWatch } from '../../../src/upstream/hang-watch.ts';

function open() {
  const pings: { answer: () => void; fail: () => void }[] = [];
  const hung: string[] = [];
  const watch = new HangWatch({
    ping: () =>
      new Promise((resolve, reject) => pings.push({ answer: () => resolve({}), fail: () => reject(new Error()) })),
    onHung: (reason) => hung.push(reason),
  });
  return { watch, pings, hung };
}

test('three calls in a row without an answer and none to a ping: it hangs', async () => {
  const { watch, pings, hung } = open();
  watch.onTimeout();
  watch.onTimeout();
  expect(pings).toHaveLength(0);
  watch.onTimeout();
  watch.onTimeout();
  expect(pings).toHaveLength(1);
  pings[0]!.fail();
  await expect.poll(() => hung).toHaveLength(1);
});

test.each([
  ['an answer to the ping', true],
  ['anything else', false],
])('%s is a sign of life', async (_name, answers) => {
  const { watch, pings, hung } = open();
  for (let call = 0; call < 3; call++) watch.onTimeout();
  watch.onSign();
  if (answers) pings[0]!.answer();
  else pings[0]!.fail();
  // Asked again only after three more: that tells that the first ping is settled and forgotten.
  await Promise.resolve();
  await Promise.resolve();
  for (let call = 0; call < 3; call++) watch.onTimeout();
  await expect.poll(() => pings).toHaveLength(2);
  expect(hung).toEqual([]);
});

test('a slow upstream is not asked as long as it answers now and then', () => {
  const { watch, pings } = open();
  for (let call = 0; call < 20; call++) {
    watch.onTimeout();
    watch.onTimeout();
    watch.onSign();
  }
  expect(pings).toHaveLength(0);
});
