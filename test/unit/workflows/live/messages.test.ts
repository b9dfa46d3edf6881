import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeMessage, readClientMessage } from '../../../../src/workflows/live/messages.ts';

const read = (message: unknown) => readClientMessage(JSON.stringify(message));

test.each([
  [
    { type: 'subscribe', data: 'process:proc-1' },
    { type: 'subscribe', channel: 'process:proc-1' },
  ],
  [
    { type: 'subscribe', channel: 'process:proc-1' },
    { type: 'subscribe', channel: 'process:proc-1' },
  ],
  [
    { type: 'subscribe', channel: 'a', data: 'b', processId: 'c', timestamp: 'now' },
    { type: 'subscribe', channel: 'b' },
  ],
  [
    { type: 'subscribe', channel: 'a', data: { more: 1 } },
    { type: 'subscribe', channel: 'a' },
  ],
  [
    { type: 'unsubscribe', data: 'x' },
    { type: 'unsubscribe', channel: 'x' },
  ],
  [{ type: 'ping', data: 'ignored' }, { type: 'ping' }],
  [{ type: 'pong' }, { type: 'pong' }],
])('%j is understood', (message, meaning) => {
  expect(read(message)).toEqual(meaning);
});

test.each([
  ['', 'one JSON object'],
  ['{"type":"ping"', 'one JSON object'],
  ['{"type":"ping"}\n{"type":"ping"}', 'one JSON object'],
  ['null', 'one JSON object'],
  ['[{"type":"ping"}]', 'one JSON object'],
  ['"ping"', 'one JSON object'],
  ['{}', 'a message without "type" is no type'],
  ['{"type":"process_output"}', '"process_output" is no type'],
  ['{"type":7}', '7 is no type'],
  ['{"type":"__proto__"}', '"__proto__" is no type'],
  ['{"__proto__":{"type":"ping"}}', 'a message without "type"'],
  [`{"type":"${'x'.repeat(10_000)}"}`, `"${'x'.repeat(59)}… is no type`],
  ['{"type":"subscribe"}', 'names a channel'],
  ['{"type":"subscribe","data":""}', 'names a channel'],
  ['{"type":"unsubscribe","data":5}', 'names a channel'],
  [`{"type":"subscribe","data":"${'x'.repeat(257)}"}`, 'at most 256 characters'],
])('what is wrong with %s is said', (text, reason) => {
  expect(readClientMessage(text)).toContain(reason);
});

test('whatever is said is understood or refused in a short text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"type":${json}}`),
      ),
      (text) => {
        const message = readClientMessage(text);
        if (typeof message === 'string') expect(message.length).toBeLessThan(200);
        else expect(['subscribe', 'unsubscribe', 'ping', 'pong']).toContain(message.type);
      },
    ),
  );
});

test('what clients get has the members that there are, and a time', () => {
  const message = {
    channel: 'process:proc-1',
    type: 'process_status',
    processId: 'proc-1',
    data: { status: 'exited', exitCode: 0 },
  };
  const { timestamp, ...rest } = JSON.parse(encodeMessage(message as never).toString());
  expect(rest).toEqual(message);
  expect(new Date(timestamp).toISOString()).toBe(timestamp);
  expect(Object.keys(JSON.parse(encodeMessage({ type: 'pong' }).toString()))).toEqual(['type', 'timestamp']);
});
