import { expect, test } from 'vitest';
import { UnderWay } from '../../../../src/store/database/under-way.ts';

test('the end waits for what is under way, whether it succeeds or fails', async () => {
  const underWay = new UnderWay();
  let succeed: ((word: string) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const good = underWay.add(new Promise<string>((resolve) => (succeed = resolve)));
  const bad = underWay.add(new Promise<string>((_resolve, reject) => (fail = reject))).catch(String);
  const order: string[] = [];
  const end = underWay.end().then(() => order.push('end'));
  await new Promise(setImmediate);
  order.push('done');
  succeed!('word');
  fail!(new Error('no'));
  await end;
  expect([await good, await bad, order]).toEqual(['word', 'Error: no', ['done', 'end']]);
});

test('nothing is waited for when nothing is under way', async () => {
  const underWay = new UnderWay();
  await underWay.add(Promise.resolve());
  await underWay.end();
});
