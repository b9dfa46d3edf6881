import { expect, test } from 'vitest';
import { Backlog } from '../../../../src/downstream/http/backlog.ts';
import { type HttpSessionOptions, HttpSessions } from '../../../../src/downstream/http/http-sessions.ts';
import type { Session } from '../../../../src/session/session.ts';
import { createLog } from '../../../../src/telemetry/log.ts';

const open = ({ id }: HttpSessionOptions) => ({ id, end: () => undefined, openCalls: 0 }) as unknown as Session;
const sessions = () => new HttpSessions(open, new Backlog(createLog({ level: 'silent' })));
const entrance = (id: string, profile = 'default') => ({ principal: { id, name: id }, profile });

test('a session is found by its own way in only', () => {
  const all = sessions();
  const { id } = all.create(entrance('a', 'p'))!;
  const ways = [entrance('a', 'p'), entrance('a'), entrance('b', 'p'), entrance('', 'p')];
  expect(ways.map((way) => all.find(id, way)?.session.id)).toEqual([id, undefined, undefined, undefined]);
});

test('one token cannot keep the others out', () => {
  const all = sessions();
  const made = Array.from({ length: 251 }, () => all.create(entrance('greedy')));
  expect(made.filter((one) => one !== undefined)).toHaveLength(250);
  expect(all.create(entrance('greedy', 'p'))).toBeUndefined();
  expect(all.create(entrance('modest'))).toBeDefined();
  all.end(made[0]!.session);
  expect(all.create(entrance('greedy'))).toBeDefined();
});

test('where nobody has to prove anything there are as many as fit', () => {
  const all = sessions();
  const made = Array.from({ length: 1_001 }, () => all.create(entrance('')));
  expect(made.filter((one) => one !== undefined)).toHaveLength(1_000);
});
