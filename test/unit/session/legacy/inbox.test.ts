import { expect, test } from 'vitest';
import { Inbox } from '../../../../src/session/legacy/inbox.ts';
import { JsonTextError } from '../../../../src/wire/json-error.ts';
import type { Message } from '../../../../src/wire/message.ts';
import { Asked, read } from '../modern-setup.ts';

/** An inbox whose calls and questions only note what they get. */
function open({ knowsAnswers = true, fault }: { knowsAnswers?: boolean; fault?: Error } = {}) {
  const seen: string[] = [];
  const logged: string[] = [];
  const client = {
    id: 's',
    host: {
      catalogue: { providers: [{ onRootsChanged: (id: string) => seen.push(`roots of ${id}`) }, {}] },
      log: {
        error: (_facts: object, text: string) => logged.push(text),
        debug: (_facts: object, text: string) => logged.push(text),
      },
    },
  };
  const calls = {
    begin: () => {
      if (fault !== undefined) throw fault;
      seen.push('call');
    },
    cancel: (id: string, reason?: string) => seen.push(`cancel ${id} ${reason}`),
  };
  const questions = {
    onResponse: () => {
      if (fault !== undefined) throw fault;
      seen.push('answer');
      return knowsAnswers;
    },
    onProgress: () => seen.push('progress'),
  };
  const inbox = new Inbox({
    client,
    payer: 'p',
    calls,
    questions,
    onInitialized: () => seen.push('initialized'),
  } as never);
  const take = (json: string) => {
    const asked = new Asked(1);
    inbox.onMessage(read<Message>(json), asked);
    return asked;
  };
  const notify = (method: string, params: object = {}) =>
    take(JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}`, params }));
  return { seen, logged, take, notify };
}

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}';

test('each notification goes to what it is for', () => {
  const { seen, logged, notify } = open();
  notify('initialized');
  notify('progress', { progressToken: 1, progress: 1 });
  notify('roots/list_changed');
  notify('cancelled', { requestId: 'a', reason: 'late' });
  notify('cancelled', { requestId: 2 });
  notify('cancelled', { reason: 'of nothing' });
  expect(seen).toEqual(['initialized', 'progress', 'roots of s', 'cancel "a" "late"', 'cancel 2 undefined']);
  expect(logged).toEqual([]);
  notify('unheard/of');
  expect(logged).toEqual(['a notification that means nothing to the gateway']);
});

test('an answer goes to the questions; one to nothing that was asked is logged', () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const [known, unknown] = [open(), open({ knowsAnswers: false })];
  known.take(answer);
  unknown.take(answer);
  expect([known.seen, known.logged]).toEqual([['answer'], []]);
  expect(unknown.logged).toEqual(['an answer to nothing that was asked']);
});

test('what is no message is refused with the reason', async () => {
  const { take } = open();
  expect(await take('{"jsonrpc":"2.0","id":5,"method":7}').answered).toMatchObject({
    id: 5,
    error: { code: -32600, message: expect.stringMatching(/^Invalid request: ./) },
  });
  expect(await take('[]').answered).toMatchObject({ id: null, error: { code: -32600 } });
});

test('a call that cannot be read is refused, and one that can be read in two ways too', async () => {
  const { take, seen } = open();
  const named = (name: string) => take(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${name}}}`).answered;
  expect(await named('"name":7')).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/^Invalid params for tools\/call: ./) },
  });
  expect(await named('"name":"a","name":"b"')).toMatchObject({
    error: { code: -32600, message: expect.stringMatching(/^Invalid request for tools\/call: ./) },
  });
  expect(seen).toEqual([]);
  expect(take(CALL).replies).toBe(0);
  expect(seen).toEqual(['call']);
});

test('params that cannot be read as JSON are answered with a parse error, and are no fault of the gateway', async () => {
  const { take, logged } = open({ fault: new JsonTextError('too long a number', 3) });
  const asked = take(CALL);
  expect(await asked.answered).toMatchObject({
    id: 1,
    error: { code: -32700, message: expect.stringMatching(/^Parse error: too long a number/) },
  });
  expect([asked.replies, logged]).toEqual([1, []]);
  take('{"jsonrpc":"2.0","id":1,"result":{}}');
  expect(logged).toHaveLength(1);
});

test('a fault of the gateway is logged, and answered where there is a request', async () => {
  const { take, logged } = open({ fault: new Error('broken') });
  const asked = take(CALL);
  expect(await asked.answered).toMatchObject({ id: 1, result: { isError: true } });
  expect(asked.replies).toBe(1);
  const response = take('{"jsonrpc":"2.0","id":1,"result":{}}');
  expect(response.replies).toBe(0);
  const text = 'a fault of the gateway while it handled a message';
  expect(logged).toEqual([text, text]);
});
