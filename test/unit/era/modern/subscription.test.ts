import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listenFilter, subscriptionOf, unstamped } from '../../../../src/era/modern/subscription.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type NotificationMessage, readMessage } from '../../../../src/wire/message.ts';
import { jsonTexts, oneLine } from '../../wire/arbitraries.ts';

const STAMP = '"io.modelcontextprotocol/subscriptionId"';
const notice = (params: string) =>
  readMessage(
    Frame.of(Buffer.from(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":${params}}`)),
  ) as NotificationMessage;
const HEAD = '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":';
const paramsLeft = (params: string) => unstamped(notice(params)).frame.text.toString().slice(HEAD.length, -1);

test.each([
  [`{"_meta":{${STAMP}:5},"uri":"a"}`, 5, '{"uri":"a"}'],
  [`{"uri":"a","_meta":{${STAMP}:"5"}}`, 5, '{"uri":"a"}'],
  [`{"uri":"a","_meta":{"k":1, ${STAMP}:5}}`, 5, '{"uri":"a","_meta":{"k":1}}'],
  [`{"_meta":{${STAMP}:5}}`, 5, '{}'],
  [`{"_meta":{${STAMP}:"other"}}`, undefined, '{}'],
  ['{"_meta":{"k":1}}', undefined, '{"_meta":{"k":1}}'],
  ['{"_meta":{}}', undefined, '{"_meta":{}}'],
  ['{"_meta":1}', undefined, '{"_meta":1}'],
])('%s is of the stream %s; without its stamp: %s', (params, id, left) => {
  expect(subscriptionOf(notice(params))).toBe(id);
  expect(paramsLeft(params)).toBe(left);
});

test('all but the stamp stays byte for byte', () => {
  fc.assert(
    fc.property(jsonTexts, jsonTexts, fc.boolean(), (a, b, isFirst) => {
      const other = `"k":${a.trim()}`;
      const meta = isFirst ? `${STAMP}:1,${other}` : `${other},${STAMP}:1`;
      expect(paramsLeft(`{"x":${b},"_meta":{${meta}}}`)).toBe(oneLine(`{"x":${b},"_meta":{${other}}}`));
    }),
  );
});

test.each([
  [{}, [], undefined],
  [{ tools: {} }, ['a'], undefined],
  [{ tools: { listChanged: true }, prompts: { listChanged: false } }, [], { toolsListChanged: true }],
  [{ resources: { subscribe: true, listChanged: true } }, [], { resourcesListChanged: true }],
  [{ resources: { subscribe: true } }, ['a'], { resourceSubscriptions: ['a'] }],
  [{ resources: { listChanged: true } }, ['a'], { resourcesListChanged: true }],
])('a server with %j is asked, for the resources %j, to tell %j', (capabilities, uris, filter) => {
  expect(listenFilter(capabilities, { uris, taskIds: [] })).toEqual(filter);
});

test.each([
  [{}, undefined],
  [{ extensions: {} }, undefined],
  [{ tasks: {} }, undefined],
  [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, { taskIds: ['t'] }],
])('a server with %j is asked, for the task "t", to tell %j', (capabilities, filter) => {
  expect(listenFilter(capabilities, { uris: ['a'], taskIds: ['t'] })).toEqual(filter);
});
