import { expect, test } from 'vitest';
import { HttpClients } from '../../../../../src/downstream/http/sessions/http-clients.ts';
import { Backlog } from '../../../../../src/downstream/http/streams/backlog.ts';
import { UnreadBudget } from '../../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';

/** Clients of two principals, a session and a modern one each; `ended` are those that were ended. */
function clients() {
  const ended: string[] = [];
  const one = (kind: string) => (options: { id: string; principal?: { id: string } | undefined }) =>
    ({
      id: options.id,
      openCalls: 0,
      isActive: false,
      end: () => ended.push(`${kind} ${options.principal?.id}`),
    }) as never;
  const backlog = new Backlog(new UnreadBudget(createLog({ level: 'silent' })));
  const all = new HttpClients({ openSession: one('session'), openModern: one('modern') }, backlog);
  for (const id of ['a', 'b']) {
    const route = { principal: { id, name: id }, profile: 'default' };
    all.sessions.create(route);
    all.modern.of(route);
  }
  return { all, ended };
}

test('what belongs to somebody who may not come in any more ends, and nothing else', () => {
  const { all, ended } = clients();
  all.endStale({ isCurrent: (id) => id === 'b' });
  expect([ended, all.sessions.size]).toEqual([['session a', 'modern a'], 1]);
});

test('what is idle for half an hour ends', () => {
  const { all, ended } = clients();
  all.endIdle(performance.now() + 29 * 60_000);
  expect(ended).toEqual([]);
  all.endIdle(performance.now() + 31 * 60_000);
  expect(ended.toSorted()).toEqual(['modern a', 'modern b', 'session a', 'session b']);
});

test('all sessions end with the server', () => {
  const { all, ended } = clients();
  all.endSessions();
  expect([ended, all.sessions.size]).toEqual([['session a', 'session b'], 0]);
});
