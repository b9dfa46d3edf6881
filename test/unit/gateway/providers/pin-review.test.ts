import path from 'node:path';
import { expect, test } from 'vitest';
import type { Pin } from '../../../../src/core/stores/pin-store.ts';
import { PinReview } from '../../../../src/gateway/providers/pin-review.ts';
import { PinFiles } from '../../../../src/store/pin-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const pending = (name: string, hash: string): Pin => ({
  pending: { hash, definition: { name }, since: '2026-01-01T00:00:00Z', isWithheld: true },
});

function setUp() {
  const folder = path.join(temporaryFolder(), 'pins');
  const store = new PinFiles({ folder, config: '/viaduct.yaml', onError: () => undefined });
  const states = () => desk.list().map(({ tool, state }) => `${tool} ${state}`);
  const desk = new PinReview(store);
  const offer = (...hashes: readonly string[]) =>
    store.save('up', new Map(hashes.map((hash, index) => [`t${index}`, pending(`t${index}`, hash)])));
  return { desk, offer, states };
}

test('what was shown is approved', () => {
  const { desk, offer, states } = setUp();
  offer('one', 'two');
  const shown = desk.list().map(({ sha256 }) => sha256!);
  expect(desk.accept('up', [], shown)).toEqual(['t0', 't1']);
  expect(states()).toEqual(['t0 ok', 't1 ok']);
});

test('what has changed since it was shown is not approved, nor is anything beside it', () => {
  const { desk, offer, states } = setUp();
  offer('one', 'two');
  const shown = desk.list().map(({ sha256 }) => sha256!);
  offer('one', 'three');
  expect(() => desk.accept('up', [], shown)).toThrow('"t1" is not what was shown');
  expect(states()).toEqual(['t0 withheld', 't1 withheld']);
  expect(desk.accept('up', ['t0'], shown)).toEqual(['t0']);
  expect(desk.accept('up')).toEqual(['t1']);
});
