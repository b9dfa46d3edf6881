import { expect, test } from 'vitest';
import type { ServerFacts } from '../../../../src/upstream/connection/handshake.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import { TaskServer } from '../../../../src/upstream/tasks/task-server.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { readMessage } from '../../../../src/wire/message.ts';

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

test.each([
  ['{"result":{"taskId":"x","status":"completed"}}', true],
  ['{"result":{"taskId":"x","status":"working"}}', false],
  ['{"error":{"code":-32602,"message":"no such task"}}', true],
])('a task about which the server says %s', async (json, isOver) => {
  const asked: unknown[] = [];
  const request = (...args: unknown[]) => {
    asked.push(args);
    return Promise.resolve(readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,${json.slice(1)}`))));
  };
  const server = new TaskServer();
  server.attach({ request } as unknown as Link, factsOf('legacy', { tasks: {} }));
  expect(await server.isOver('x', 1_000)).toBe(isOver);
  expect(asked).toEqual([['tasks/get', { taskId: 'x' }, 1_000]]);
});

test('a task about which the server says nothing may still run', async () => {
  const server = new TaskServer();
  expect(await server.isOver('x', 1_000)).toBe(false);
  const request = () => Promise.reject(new Error('no answer'));
  server.attach({ request } as unknown as Link, factsOf('legacy', { tasks: {} }));
  expect(await server.isOver('x', 1_000)).toBe(false);
});
