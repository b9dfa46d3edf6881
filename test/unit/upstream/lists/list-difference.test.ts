import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../src/core/providers/provider.ts';
import { differenceOf } from '../../../../src/upstream/lists/list-difference.ts';

const list = (entries: string): Descriptor[] =>
  [...entries.matchAll(/(\S+)=(\S+)/g)].map(([, ownName, fingerprint]) => {
    return { kind: 'tool', ownName: ownName!, text: '', nameSpan: { start: 0, end: 0 }, fingerprint: fingerprint! };
  });

test.each([
  ['', '', { added: 0, updated: 0, removed: 0 }],
  ['a=1 b=1', 'a=1 b=1', { added: 0, updated: 0, removed: 0 }],
  ['a=1 b=1', 'b=1 a=1', { added: 0, updated: 0, removed: 0 }],
  ['', 'a=1 b=1', { added: 2, updated: 0, removed: 0 }],
  ['a=1 b=1', '', { added: 0, updated: 0, removed: 2 }],
  ['a=1 b=1 c=1', 'b=2 c=1 d=1', { added: 1, updated: 1, removed: 1 }],
  ['__proto__=1', 'constructor=1', { added: 1, updated: 0, removed: 1 }],
])('from "%s" to "%s": %j', (before, after, difference) => {
  expect(differenceOf(list(before), list(after))).toEqual(difference);
});
