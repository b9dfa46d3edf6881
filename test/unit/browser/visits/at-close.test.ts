import { expect, test } from 'vitest';
import { AtClose } from '../../../../src/browser/visits/at-close.ts';
import { TabIds } from '../../../../src/browser/visits/tab-ids.ts';

test('actions run once, in order, and at once after that', () => {
  const ran: string[] = [];
  const atClose = new AtClose();
  atClose.add(() => ran.push('first'));
  atClose.add(() => ran.push('second'));
  expect(ran).toEqual([]);
  atClose.run();
  atClose.run();
  expect(ran).toEqual(['first', 'second']);
  atClose.add(() => ran.push('late'));
  expect(ran).toEqual(['first', 'second', 'late']);
});

test('a tab keeps the id that it got first', () => {
  const ids = new TabIds();
  expect([ids.idOf('A'), ids.idOf('B'), ids.idOf('A'), ids.numberOf('C'), ids.idOf('C')]).toEqual([
    't1',
    't2',
    't1',
    3,
    't3',
  ]);
});
