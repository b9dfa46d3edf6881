import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Era } from '../../../../src/core/providers/provider.ts';
import type { Member } from '../../../../src/upstream/sharing/member.ts';
import type { MemberLifecycle } from '../../../../src/upstream/sharing/member-lifecycle.ts';
import { Members } from '../../../../src/upstream/sharing/members.ts';
import { KeepingCaller } from '../calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTES = 60_000;

/** Members that are only named, with room for three. */
function open({ isSplit = true } = {}) {
  const log: string[] = [];
  const busy = new Set<string>();
  let begun = 0;
  let common: Member | undefined;
  const create = (name: string) => {
    const owners = new Set<string>();
    return {
      owners,
      upstream: {
        name,
        activity: {
          get isBusy() {
            return busy.has(name);
          },
          get isAwaitingClient() {
            return busy.has(name);
          },
        },
      },
      claim: ({ client }: KeepingCaller) => void owners.add(client.clientId),
      end: async (reason: string) => void log.push(`end ${name}: ${reason}`),
    } as unknown as Member;
  };
  const lifecycle = {
    get common() {
      return common;
    },
    openCommon: () => {
      common ??= create('common');
      return common;
    },
    isForAll: (member: Member) => member === common && !isSplit,
    beginFor: () => {
      if (!isSplit) return lifecycle.openCommon();
      return begun === 3 ? undefined : create(`own ${++begun}`);
    },
    end: (member: Member, reason: string) => void member.end(reason),
    ended: async () => void log.push('ended'),
  };
  const members = new Members(lifecycle as unknown as MemberLifecycle);
  const nameOf = (upstream: unknown) => (upstream as { name: string } | undefined)?.name;
  const callerOf = (clientId: string, era: Era = 'legacy') => {
    const caller = new KeepingCaller(clientId);
    return Object.assign(caller, { client: { ...caller.client, clientId, era } });
  };
  return {
    members,
    log,
    busy,
    claim: (place: string, clientId = place, era?: Era) => nameOf(members.claim(place, callerOf(clientId, era))),
    at: (place: string, clientId = place, era?: Era) => nameOf(members.at(place, callerOf(clientId, era))),
    all: () => members.all().map(nameOf),
    usedBy: (clientId: string) => members.usedBy(clientId).map(nameOf),
  };
}

test('a place has the process that was begun for it', () => {
  const { members, claim, at, all } = open();
  expect([at('A'), claim('A'), at('A'), claim('B'), claim('C'), claim('D')]).toEqual([
    undefined,
    'own 1',
    'own 1',
    'own 2',
    'own 3',
    undefined,
  ]);
  expect([all(), members.ownedCount, members.common]).toEqual([['own 1', 'own 2', 'own 3'], 3, undefined]);
});

test('the common process is there once, whoever uses it', () => {
  const { members, claim, all, usedBy } = open({ isSplit: false });
  members.open();
  claim('A');
  claim('B');
  expect([all(), members.ownedCount, usedBy('A'), usedBy('Z')]).toEqual([['common'], 1, ['common'], ['common']]);
});

test('a client that calls at the place of others uses their process from then on', () => {
  const { claim, at, usedBy } = open();
  claim('/folder', 'A');
  expect([usedBy('A'), usedBy('B')]).toEqual([['own 1'], []]);
  at('/folder', 'B');
  expect(usedBy('B')).toEqual(['own 1']);
});

test('a place is free unless its process waits for its client', () => {
  const { members, busy, claim } = open();
  claim('A');
  expect([members.isFree('A'), members.isFree('B')]).toEqual([true, true]);
  busy.add('own 1');
  expect([members.isFree('A'), members.isFree('B')]).toEqual([false, true]);
});

test('what belonged to a client alone is ended when it goes, and what others use is not', () => {
  const { members, log, claim, at, all } = open();
  claim('A');
  claim('A 1', 'A');
  claim('/folder', 'A');
  at('/folder', 'B');
  members.release('A', 'gone');
  expect([log, all(), at('A')]).toEqual([['end own 1: gone', 'end own 2: gone'], ['own 3'], undefined]);
  members.release('B', 'gone');
  expect([log.at(-1), all()]).toEqual(['end own 3: gone', []]);
});

test('the process of all clients outlasts each of them', () => {
  const { members, log, claim, all } = open({ isSplit: false });
  claim('A');
  members.release('A', 'gone');
  expect([log, all(), members.ownedCount]).toEqual([[], ['common'], 0]);
});

test('a client that comes back has no place any more in the process that it shared', () => {
  const { members, claim, at, all } = open({ isSplit: false });
  claim('A');
  claim('B');
  members.release('A', 'gone');
  expect([at('A'), at('B'), all()]).toEqual([undefined, 'common', ['common']]);
});

test('a modern client that calls no more has gone after ten minutes, unless it has something there', async () => {
  const { log, busy, claim, at } = open();
  claim('A', 'A', 'modern');
  await vi.advanceTimersByTimeAsync(9 * MINUTES);
  at('A', 'A', 'modern');
  busy.add('own 1');
  await vi.advanceTimersByTimeAsync(19 * MINUTES);
  expect(log).toEqual([]);
  busy.delete('own 1');
  await vi.advanceTimersByTimeAsync(MINUTES);
  expect(log).toEqual(['end own 1: its client has not called for ten minutes']);
});

test('a client that has gone is not looked for any more', () => {
  const { members, claim } = open();
  claim('A', 'A', 'modern');
  members.release('A', 'gone');
  expect(vi.getTimerCount()).toBe(0);
});

test('all are ended and waited for when they are stopped, and no client is looked for', async () => {
  const { members, log, claim } = open();
  members.open();
  claim('A', 'A', 'modern');
  expect(members.isStopped).toBe(false);
  const stopped = members.stop('over');
  expect(members.isStopped).toBe(true);
  await stopped;
  expect([log, vi.getTimerCount()]).toEqual([['end common: over', 'end own 1: over', 'ended'], 0]);
});
