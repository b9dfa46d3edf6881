import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headOf } from '../../../../../../src/commands/stdio/shim/lines/message-head.ts';
import { linesIn } from './lines-in.ts';

const headIn = (text: string, cuts: readonly number[] = []) => headOf(linesIn(text, cuts)[0]!);

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: '1', method: 'ping' }],
  ['{"method":"tools/call","params":{"id":9},"jsonrpc":"2.0","id":"a b"}', { id: '"a b"', method: 'tools/call' }],
  ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":5}}', { method: 'notifications/progress' }],
  ['{"params":{"method":"no"},"method":"yes","x":[1,{"id":2}],"id":3,"y":{}}', { id: '3', method: 'yes' }],
  ['{"jsonrpc":"2.0","id":7,"result":{"method":"no"}}', { id: '7' }],
  ['{"result":{"text":"\\",\\"id\\":1}"},"jsonrpc":"2.0","id":8}', { id: '8' }],
  ['{"error":{"code":1,"message":"}"},"id":null}', { id: 'null' }],
  [' { "id" : -1 , "method" : "tools\\/list" } ', { id: '-1', method: 'tools/list' }],
])('%s', (text, expected) => {
  const { id, method } = headIn(text);
  expect({ id, method }).toEqual({ id: undefined, method: undefined, ...expected });
});

test('a list of messages is told from a message', () => {
  expect(headIn('[{"id":1,"method":"ping"}]').isBatch).toBe(true);
  expect(headIn('{"id":1,"method":"ping"}').isBatch).toBeUndefined();
});

test('what a message is does not depend on the order of its members, nor on how it is cut', () => {
  const id = fc.oneof(
    fc.integer(),
    fc.string().filter((text) => !text.includes('\n')),
  );
  const message = fc.record(
    { jsonrpc: fc.constant('2.0'), id, method: fc.string(), params: fc.jsonValue(), extra: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const order = fc.shuffledSubarray(['jsonrpc', 'id', 'method', 'params', 'extra'], { minLength: 5 });
  const cuts = fc.array(fc.nat(300), { maxLength: 5 });
  fc.assert(
    fc.property(message, order, cuts, (members: Record<string, unknown>, keys, at) => {
      const text = JSON.stringify(
        Object.fromEntries(keys.filter((key) => key in members).map((key) => [key, members[key]])),
      );
      const head = headIn(text, at);
      expect(head.id === undefined ? undefined : JSON.parse(head.id)).toEqual(members.id);
      expect(head.method).toEqual(members.method);
    }),
  );
});
