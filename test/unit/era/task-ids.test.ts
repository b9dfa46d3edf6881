import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  listedTask,
  saysTaskOver,
  taskIn,
  tellsTaskOver,
  withOwnIds,
  withPublicIds,
  withPublicIdsIn,
} from '../../../src/era/task-ids.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type NotificationMessage, type ResponseMessage, readMessage } from '../../../src/wire/message.ts';
import { type Reply, relayedReply, resultReply } from '../../../src/wire/reply.ts';

const RELATED = '"io.modelcontextprotocol/related-task"';

const read = <Kind>(json: string) => readMessage(Frame.of(Buffer.from(json))) as Kind;

function replyOf(json: string, isModern: boolean, outcome = 'result'): Reply {
  const reply = relayedReply(read<ResponseMessage>(`{"jsonrpc":"2.0","id":7,"${outcome}":${json}}`), isModern);
  if ('problem' in reply) throw new Error(reply.problem);
  return reply;
}

const textOf = (reply: Reply) =>
  toBuffer(reply.withId('1'))
    .toString()
    .replace(/^\{"jsonrpc":"2.0","id":1,"(?:result|error)":/, '')
    .slice(0, -1);

describe('answers of a server', () => {
  const modern = (method: string, json: string) => withPublicIds('k', method, 'modern', replyOf(json, true));
  const legacy = (method: string, json: string) => withPublicIds('k', method, 'legacy', replyOf(json, false));

  test.each([
    ['tools/call', '{"resultType":"task", "taskId":"t","x":1.0}', '{"resultType":"task", "taskId":"k/t","x":1.0}'],
    [
      'tasks/get',
      '{"taskId" : "t/\\u00e9ü","result":{"taskId":"t"}}',
      '{"taskId" : "k/t/\\u00e9ü","result":{"taskId":"t"}}',
    ],
    ['tasks/get', '{"taskId":"t","taskId":"u"}', '{"taskId":"k/t","taskId":"k/u"}'],
  ])('modern, to %s: %s', (method, before, after) => {
    const { reply } = modern(method, before);
    expect(textOf(reply)).toBe(after);
    expect(reply.isModern).toBe(true);
  });

  test.each([
    ['tools/call', '{"resultType":"complete","taskId":"t","task":{"taskId":"t"}}'],
    ['tools/call', '{"taskId":"t"}'],
    ['tasks/get', '{"taskId":7}'],
    ['tasks/cancel', '{}'],
  ])('modern, to %s: %s is left alone', (method, json) => {
    expect(textOf(modern(method, json).reply)).toBe(json);
  });

  test.each([
    ['tools/call', '{"task":{"taskId":"t"},"taskId":"own"}', '{"task":{"taskId":"k/t"},"taskId":"own"}', 't'],
    ['tasks/get', '{"taskId":"t","task":{"taskId":"own"}}', '{"taskId":"k/t","task":{"taskId":"own"}}', 't'],
    [
      'tasks/result',
      `{"_meta":{${RELATED}:{"taskId":"t"}},"taskId":"own"}`,
      `{"_meta":{${RELATED}:{"taskId":"k/t"}},"taskId":"own"}`,
      't',
    ],
    [
      'tools/call',
      `{"_meta":{${RELATED}:{"taskId":"t"}},"task":{"taskId":"t"}}`,
      `{"_meta":{${RELATED}:{"taskId":"k/t"}},"task":{"taskId":"k/t"}}`,
      't',
    ],
    ['tools/call', '{"task":null,"_meta":[]}', '{"task":null,"_meta":[]}', undefined],
  ])('legacy, to %s: %s', (method, before, after, ownId) => {
    const named = legacy(method, before);
    expect([textOf(named.reply), named.ownId]).toEqual([after, ownId]);
  });

  test('errors are left alone', () => {
    const reply = replyOf('{"code":1,"message":"","taskId":"t"}', false, 'error');
    expect(withPublicIds('k', 'tasks/get', 'legacy', reply).reply).toBe(reply);
  });

  test('all but the id passes byte for byte, whatever there is', () => {
    const extra = fc.dictionary(
      fc.string().filter((name) => name !== 'taskId'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(extra, fc.string({ unit: 'binary' }), extra, (before, id, after) => {
        const json = (ownId: string) =>
          `{${[JSON.stringify(before).slice(1, -1), `"taskId":${ownId}`, JSON.stringify(after).slice(1, -1)].filter(Boolean).join(',')}}`;
        const own = JSON.stringify(id);
        expect(textOf(modern('tasks/get', json(own)).reply)).toBe(json(`"k/${own.slice(1)}`));
      }),
    );
  });
});

describe('notifications', () => {
  const told = (method: string, params: string) =>
    read<NotificationMessage>(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);

  test.each([
    ['notifications/tasks', '{"taskId":"t", "x":1.0}', '{"taskId":"k/t", "x":1.0}'],
    ['notifications/tasks/status', '{"taskId":"t"}', '{"taskId":"k/t"}'],
    ['notifications/progress', `{"_meta":{${RELATED}:{"taskId":"t"}}}`, `{"_meta":{${RELATED}:{"taskId":"k/t"}}}`],
  ])('%s %s', (method, before, after) => {
    const message = told(method, before);
    expect(taskIn(message)).toBe('t');
    expect(withPublicIdsIn('k', message).frame.text.toString()).toBe(told(method, after).frame.text.toString());
  });

  test.each([
    ['notifications/message', '{"taskId":"t"}'],
    ['notifications/message', `{"data":{"_meta":{${RELATED}:{"taskId":"t"}}}}`],
    ['notifications/tasks', '[]'],
  ])('%s %s names no task', (method, params) => {
    const message = told(method, params);
    expect(taskIn(message)).toBeUndefined();
    expect(withPublicIdsIn('k', message)).toBe(message);
  });
});

test('a client answers under the id that it knows; other ids stay', () => {
  const answer = (id: string) => ({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: id } }, taskId: 'k/u' });
  expect(JSON.parse(textOf(withOwnIds('k', resultReply(answer('k/t')))))).toEqual(answer('t'));
  for (const id of ['other/t', 't'])
    expect(JSON.parse(textOf(withOwnIds('k', resultReply(answer(id)))))).toEqual(answer(id));
});

test('an entry of a list is a task, or nothing', () => {
  const entry = (json: string) => listedTask('k', Buffer.from(` ${json} `), { start: 1, end: 1 + json.length });
  expect(entry('{"x":1.0, "taskId":"t"}')).toEqual({ json: '{"x":1.0, "taskId":"k/t"}', ownId: 't' });
  for (const json of ['{}', '7', '[]', '{"taskId":7}']) expect(entry(json)).toBeUndefined();
});

describe('the end of a task', () => {
  test.each([
    ['legacy', 'tools/call', '{"task":{"taskId":"t","status":"working"},"status":"completed"}', false],
    ['legacy', 'tools/call', '{"task":{"taskId":"t","status":"completed"}}', true],
    ['legacy', 'tasks/get', '{"taskId":"t","status":"input_required"}', false],
    ['legacy', 'tasks/get', '{"taskId":"t","status":"failed"}', true],
    ['legacy', 'tasks/cancel', '{"taskId":"t","status":"cancelled"}', true],
    ['legacy', 'tasks/result', '{"content":[]}', true],
    ['modern', 'tools/call', '{"resultType":"task","taskId":"t","status":"working"}', false],
    ['modern', 'tasks/get', '{"taskId":"t","status":"completed","result":{"status":"working"}}', true],
    ['modern', 'tasks/update', '{}', false],
  ] as const)('%s, in an answer to %s: %s', (era, method, json, isOver) => {
    expect(withPublicIds('k', method, era, replyOf(json, era === 'modern')).isOver).toBe(isOver);
  });

  test('in an answer that is an error is not told of', () => {
    const reply = replyOf('{"code":-32602,"message":"completed"}', false, 'error');
    expect(withPublicIds('k', 'tasks/get', 'legacy', reply).isOver).toBe(false);
  });

  test.each([
    ['{"result":{"taskId":"t","status":"completed"}}', true],
    ['{"result":{"taskId":"t","status":"working"}}', false],
    ['{"error":{"code":1,"message":"x"}}', false],
  ])('in the answer to a question of our own: %s', (json, isOver) => {
    expect(saysTaskOver(read(`{"jsonrpc":"2.0","id":1,${json.slice(1)}`))).toBe(isOver);
  });

  test.each([
    ['notifications/tasks/status', 'completed', true],
    ['notifications/tasks', 'cancelled', true],
    ['notifications/tasks/status', 'working', false],
    ['notifications/message', 'completed', false],
  ])('in %s with the status %s', (method, status, isOver) => {
    const told = JSON.stringify({ jsonrpc: '2.0', method, params: { taskId: 't', status } });
    expect(tellsTaskOver(read(told))).toBe(isOver);
  });
});
