import { expect, test } from 'vitest';
import { ViewScope } from '../../../src/catalogue/view-scope.ts';
import { FULL_PERMISSIONS } from '../../../src/core/access/permissions.ts';
import { Offering } from './provider.ts';

const [a, b] = [new Offering('a'), new Offering('b')];
const ONLY_B = { ...FULL_PERMISSIONS, upstreams: ['b'], tools: { allow: ['b_*'], deny: [] }, projects: [['acme-*']] };

test('without permissions everything is allowed', () => {
  const scope = new ViewScope(undefined);
  const all = [a, b];
  expect(scope.providersOf(all)).toBe(all);
  expect([scope.showsEverything, scope.isWhole, scope.allowsTool('x'), scope.allowsProject(undefined)]).toEqual(
    Array(4).fill(true),
  );
});

test('permissions limit providers, tools and projects', () => {
  const scope = new ViewScope(ONLY_B);
  expect(scope.providersOf([a, b])).toEqual([b]);
  expect([scope.showsEverything, scope.isWhole]).toEqual([false, false]);
  expect([scope.allowsProvider(a), scope.allowsProvider(b)]).toEqual([false, true]);
  expect([scope.allowsTool('a_x'), scope.allowsTool('b_x')]).toEqual([false, true]);
  expect([scope.allowsProject('acme-1'), scope.allowsProject('other')]).toEqual([true, false]);
});

test('the visible providers are one list until the providers or the permissions change', () => {
  const scope = new ViewScope(ONLY_B);
  const all = [a, b];
  const first = scope.providersOf(all);
  expect(scope.providersOf(all)).toBe(first);
  expect(scope.providersOf([b])).not.toBe(first);
  scope.limitTo({ ...ONLY_B, upstreams: ['a'] });
  expect(scope.providersOf(all)).toEqual([a]);
  scope.limitTo(undefined);
  expect(scope.providersOf(all)).toBe(all);
});
