import { expect, test } from 'vitest';
import { LevelTeller } from '../../../../../src/upstream/events/logging/level-teller.ts';

/** A server that is asked for levels, and answers when the test says so. */
function setup() {
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const server = { isAble: true };
  const teller = new LevelTeller({
    isAble: () => server.isAble,
    request: (level) => {
      asked.push(level);
      return new Promise<void>((resolve) => open.push(resolve));
    },
  });
  const answer = async () => {
    open.shift()!();
    await new Promise(setImmediate);
  };
  teller.onConnected();
  return { teller, asked, open, answer, server };
}

test('a level that does not change is not asked for again', async () => {
  const { teller, asked, answer } = setup();
  teller.set('A', 'debug');
  await answer();
  teller.set('A', 'debug');
  teller.set('B', 'error');
  teller.remove('B');
  teller.raise('notice');
  expect(asked).toEqual(['debug']);
});

test('one request is open at a time; after its answer the newest level is asked for', async () => {
  const { teller, asked, open, answer } = setup();
  for (let round = 0; round < 100; round++) for (const level of ['debug', 'error', 'info']) teller.set('A', level);
  expect([asked, open.length]).toEqual([['debug'], 1]);
  await answer();
  expect([asked, open.length]).toEqual([['debug', 'info'], 1]);
  await answer();
  expect([asked, open.length]).toEqual([['debug', 'info'], 0]);
});

test('when the last client with a level has left, the server is asked for the default level', async () => {
  const { teller, asked, answer } = setup();
  teller.set('A', 'debug');
  teller.set('B', 'error');
  await answer();
  teller.remove('A');
  await answer();
  teller.remove('B');
  await answer();
  expect(asked).toEqual(['debug', 'error', 'info']);
  teller.remove('C');
  expect(asked).toHaveLength(3);
});

test('a new connection is asked for the level that is wanted then, and for none where nobody wants one', async () => {
  const { teller, asked, answer, server } = setup();
  server.isAble = false;
  teller.set('A', 'debug');
  expect(asked).toEqual([]);
  server.isAble = true;
  teller.onConnected();
  await answer();
  teller.onConnected();
  await answer();
  expect(asked).toEqual(['debug', 'debug']);
  server.isAble = false;
  teller.remove('A');
  server.isAble = true;
  teller.onConnected();
  expect(asked).toHaveLength(2);
});

test('a connection that is replaced while a request is open is asked too', async () => {
  const { teller, asked, answer } = setup();
  teller.set('A', 'debug');
  teller.onConnected();
  await answer();
  expect(asked).toEqual(['debug', 'debug']);
});

test('a call that wants more messages has the server asked for them, one that wants fewer does not', async () => {
  const { teller, asked, answer } = setup();
  teller.raise('warning');
  await answer();
  teller.raise('error');
  teller.raise('debug');
  await answer();
  expect(asked).toEqual(['warning', 'debug']);
});
