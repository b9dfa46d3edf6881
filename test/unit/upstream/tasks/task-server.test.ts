import { expect, test } from 'vitest';
import type { ServerFacts } from '../../../../src/upstream/connection/handshake.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import { TaskServer } from '../../../../src/upstream/tasks/task-server.ts';

const LINK = {} as Link;
const factsOf = (era: 'legacy' | 'modern', capabilities: object) => ({ era, capabilities }) as ServerFacts;

test('nothing is known of a server before there is a connection', () => {
  const server = new TaskServer();
  expect([server.link, server.era, server.canDo('list')]).toEqual([undefined, undefined, false]);
});

test('the era outlasts the connection, which does not', () => {
  const server = new TaskServer();
  server.attach(LINK, factsOf('legacy', { tasks: { list: {} } }));
  expect([server.link, server.era, server.canDo('list'), server.canDo('cancel')]).toEqual([
    LINK,
    'legacy',
    true,
    false,
  ]);
  server.detach();
  expect([server.link, server.era]).toEqual([undefined, 'legacy']);
});

test('the next server is another one', () => {
  const server = new TaskServer();
  server.attach(LINK, factsOf('legacy', { tasks: { cancel: {} } }));
  server.attach(LINK, factsOf('modern', { extensions: { 'io.modelcontextprotocol/tasks': {} } }));
  expect([server.era, server.canDo('cancel')]).toEqual(['modern', false]);
  server.attach(LINK, factsOf('legacy', {}));
  expect(server.era).toBeUndefined();
});
