import { describe, expect, test } from 'vitest';
import { guessResponseId } from '../../../../src/upstream/faults/lost-line.ts';
import { NewlineFramer } from '../../../../src/wire/lines/newline-framer.ts';

/** The guess for a line of so many bytes at most, by way of the framer that loses it. */
function guess(line: string, maxBytes = 1_000_000): number | undefined {
  const ids: (number | undefined)[] = [];
  const framer = new NewlineFramer(
    { onFrame: () => undefined, onLostLine: (lost) => ids.push(guessResponseId(lost)) },
    maxBytes,
  );
  framer.push(Buffer.from(`${line}\n`));
  expect(ids).toHaveLength(1);
  return ids[0];
}

const large = 'x'.repeat(10_000);

describe('the id of a lost answer is found', () => {
  test.each([
    ['first', '{"id":7,"result":{', 7],
    ['after jsonrpc', '{"jsonrpc":"2.0","id":7,"result":{', 7],
    ['with white space', ' { "jsonrpc" : "2.0" , "id" : 7 , "result":', 7],
    ['as a string', '{"jsonrpc":"2.0","id":"7","result":', 7],
    ['last', '{"jsonrpc":"2.0","result":{}},"id":7}', 7],
    ['last, before jsonrpc', '{"result":{oops},"id":7,"jsonrpc":"2.0"}', 7],
    ['last, with CR', '{"result":{oops},"id":"7" }\r', 7],
    ['head before tail', '{"id":7,"result":{"a":{oops},"id":8}', 7],
  ])('%s', (_name, line, id) => expect(guess(line)).toBe(id));

  test.each([
    ['at the head', `{"jsonrpc":"2.0","id":123456,"result":{"text":"${large}"}}`],
    ['at the tail', `{"jsonrpc":"2.0","result":{"text":"${large}"},"id":123456}`],
  ])('of a line that is too large, %s', (_name, line) => expect(guess(line, 5_000)).toBe(123_456));
});

describe('nothing is guessed', () => {
  test.each([
    ['from text', 'listening on port 7'],
    ['from an id that is broken off', '{"id":12'],
    ['from an id of letters', '{"id":"a7","result":{'],
    ['from a fraction', '{"id":1.5,"result":{'],
    ['from a negative id', '{"id":-7,"result":{'],
    ['from an id too long to be ours', '{"id":12345678901234567,"result":{'],
    ['from an id further in', '{"result":{"id":7,'],
    ['from a key that ends like it', '{"xid":7,"result":{'],
  ])('%s', (_name, line) => expect(guess(line)).toBeUndefined());
});

test('half an answer at the end of the stream is nobody’s', () => {
  const ids: (number | undefined)[] = [];
  const framer = new NewlineFramer({
    onFrame: () => undefined,
    onLostLine: (lost) => ids.push(guessResponseId(lost)),
  });
  framer.push(Buffer.from('{"id":7,"result":{"con'));
  framer.end();
  expect(ids).toEqual([undefined]);
});
