import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { FULL_PERMISSIONS } from '../../../src/core/access/permissions.ts';
import { Sessions } from '../../../src/session/sessions.ts';
import type { NotificationMessage } from '../../../src/wire/message.ts';
import { modernSetup, read } from './modern-setup.ts';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const NO_EXCHANGE = {
  reply: () => undefined,
  send: () => undefined,
  sendIfRoom: () => undefined,
  abandon: () => undefined,
};

/** Sessions after their handshake: one for each list of upstreams that it may see. */
function ready(...seen: readonly (readonly string[])[]) {
  const sessions = new Sessions();
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  const { host } = modernSetup();
  const all = seen.map((upstreams, index) => {
    const view = catalogue.openView({ ...FULL_PERMISSIONS, upstreams }, () => undefined);
    const options = {
      id: `s${index}`,
      transport: 'test',
      profile: 'p',
      folderRule: undefined,
      output: () => undefined,
    };
    const session = sessions.open({ ...host, catalogue: view }, options);
    session.onMessage(read<NotificationMessage>(INITIALIZED), NO_EXCHANGE);
    return session;
  });
  return { sessions, all };
}

const upstream = (id: string) => ({ kind: 'upstream', id }) as const;

test('an upstream that asks outside of calls reaches the only client that may see it, never one that may not', () => {
  const { sessions, all } = ready(['a'], ['b']);
  expect(sessions.sole(upstream('a'))).toBe(all[0]!.mailbox);
  expect(sessions.sole(upstream('b'))).toBe(all[1]!.mailbox);
  expect(sessions.sole(upstream('c'))).toBeUndefined();
});

test('where several may see it, none of them is meant', () => {
  expect(ready(['a'], ['a', 'b']).sessions.sole(upstream('a'))).toBeUndefined();
});
