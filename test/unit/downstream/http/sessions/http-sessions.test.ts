import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpSessionOptions, HttpSessions } from '../../../../../src/downstream/http/sessions/http-sessions.ts';
import { Backlog } from '../../../../../src/downstream/http/streams/backlog.ts';
import { UnreadBudget } from '../../../../../src/downstream/unread/unread-budget.ts';
import type { Session } from '../../../../../src/session/session.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';

let busy: ReadonlySet<string> = new Set();
const open = ({ id }: HttpSessionOptions) =>
  ({
    id,
    end: () => undefined,
    get openCalls() {
      return busy.has(id) ? 1 : 0;
    },
  }) as unknown as Session;
const sessions = () => new HttpSessions(open, new Backlog(new UnreadBudget(createLog({ level: 'silent' }))));
const route = (id: string, profile = 'default') => ({ principal: { id, name: id }, profile });

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  busy = new Set();
  vi.useRealTimers();
});

/** Opens so many sessions, a second apart. */
function openMany(all: HttpSessions, count: number, name: string) {
  return Array.from({ length: count }, () => {
    vi.advanceTimersByTime(1_000);
    return all.create(route(name));
  });
}

test('a session is found by its own way in only', () => {
  const all = sessions();
  const { id } = all.create(route('a', 'p'))!;
  const ways = [route('a', 'p'), route('a'), route('b', 'p'), route('', 'p')];
  expect(ways.map((way) => all.find(id, way)?.session.id)).toEqual([id, undefined, undefined, undefined]);
});

describe('where there are too many sessions', () => {
  test.each([
    ['of one token', 'greedy', 250],
    ['of clients without tokens', '', 1_000],
  ])('%s, a new one takes the place of the one that has been idle for longest', (_name, name, most) => {
    const all = sessions();
    if (name === '') all.create(route('modest'));
    vi.advanceTimersByTime(1_000);
    const made = openMany(all, name === '' ? most - 1 : most, name);
    all.find(made[0]!.id, route(name))!.touch();
    busy = new Set([made[1]!.id]);
    vi.advanceTimersByTime(1_000);
    // The first to go is the other client's, which has been idle for longest of all.
    if (name === '') expect(all.create(route(name))).toBeDefined();
    expect(all.create(route(name))).toBeDefined();
    const isThere = (index: number) => all.find(made[index]!.id, route(name)) !== undefined;
    expect([0, 1, 2, 3].map(isThere)).toEqual([true, true, false, true]);
    expect(all.size).toBe(most);
  });

  test('and none of them is idle, no new one is opened', () => {
    const all = sessions();
    const made = openMany(all, 250, 'greedy');
    busy = new Set(made.map((one) => one!.id));
    vi.advanceTimersByTime(60_000);
    expect(all.create(route('greedy'))).toBeUndefined();
    expect(all.create(route('modest'))).toBeDefined();
  });
});
