import { expect, test } from 'vitest';
import { PROFILE_NOTIFICATION } from '../../../../src/core/access/client-grant.ts';
import { FOLDER_NOTIFICATION } from '../../../../src/core/providers/client-folder.ts';
import { ArrivalNotes, type ArrivalOptions } from '../../../../src/downstream/streams/arrival.ts';
import type { Message } from '../../../../src/wire/message.ts';
import { read } from '../../session/modern-setup.ts';

function notes(options: Partial<ArrivalOptions> = {}) {
  const unknown: (string | undefined)[] = [];
  const arrival = new ArrivalNotes({
    hangUp: () => undefined,
    onUnknownProfile: (name) => unknown.push(name),
    hasProfile: (name) => ['work', 'home'].includes(name),
    ...options,
  });
  const tell = (method: string, params: object) =>
    arrival.takes(read<Message>(JSON.stringify({ jsonrpc: '2.0', method, params })));
  return { arrival, unknown, tell };
}

test('it takes its own notifications only', () => {
  const { arrival, tell } = notes();
  expect([tell(FOLDER_NOTIFICATION, { folder: '/w' }), tell(PROFILE_NOTIFICATION, { profile: 'work' })]).toEqual([
    true,
    true,
  ]);
  expect(tell('notifications/initialized', {})).toBe(false);
  expect(arrival.takes(read(`{"jsonrpc":"2.0","id":1,"method":"${FOLDER_NOTIFICATION}"}`))).toBe(false);
  expect(arrival.settle()).toMatchObject({ folder: '/w', profile: 'work', depth: 0 });
});

test('a folder may be said again, the depth only grows', () => {
  const { arrival, tell } = notes({ folder: '/start' });
  tell(FOLDER_NOTIFICATION, { folder: '/a', depth: '2' });
  tell(FOLDER_NOTIFICATION, { folder: 'relative', depth: '1' });
  expect(arrival.settle()).toMatchObject({ folder: '/a', depth: 2 });
});

test('a profile is said once, and before all else', () => {
  const twice = notes();
  twice.tell(PROFILE_NOTIFICATION, { profile: 'work' });
  twice.tell(PROFILE_NOTIFICATION, { profile: 'home' });
  expect(twice.arrival.settle().profile).toBe('work');

  const bound = notes({ profile: 'work' });
  expect(bound.tell(PROFILE_NOTIFICATION, { profile: 'home' })).toBe(true);
  expect(bound.arrival.settle().profile).toBe('work');

  const late = notes();
  late.arrival.settle();
  expect(late.tell(PROFILE_NOTIFICATION, { profile: 'work' })).toBe(true);
  expect(late.arrival.settle().profile).toBeUndefined();
  expect([twice, bound, late].flatMap(({ unknown }) => unknown)).toEqual([]);
});

test('a profile that there is not ends the connection; where none may be named, nothing happens', () => {
  const { arrival, tell, unknown } = notes();
  tell(PROFILE_NOTIFICATION, { profile: 'gone' });
  tell(PROFILE_NOTIFICATION, {});
  expect([unknown, arrival.settle().profile]).toEqual([['gone', undefined], undefined]);
  const closed = notes({ hasProfile: undefined });
  expect(closed.tell(PROFILE_NOTIFICATION, { profile: 'work' })).toBe(true);
  expect([closed.unknown, closed.arrival.settle().profile]).toEqual([[], undefined]);
});
