import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageFramer } from '../../../../../src/upstream/transports/websocket/message-framer.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { jsonTexts, oneLine } from '../../../wire/arbitraries.ts';

/** What messages come to, each read in turns that are over before they begin. */
function read(messages: readonly string[]) {
  const frames: string[] = [];
  const lost: string[] = [];
  const framer = new MessageFramer(
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: ({ reason }) => lost.push(reason),
    },
    1_000_000,
  );
  for (const message of messages) {
    let rest = Buffer.from(message);
    do rest = rest.subarray(framer.push(rest, 0));
    while (rest.length > 0);
  }
  return { frames, lost };
}

test('whatever is in one message, and whatever in lines of one, comes out on one line, in order', () => {
  const inLines = jsonTexts.filter((text) => !text.includes('\n'));
  fc.assert(
    fc.property(fc.array(fc.array(inLines, { minLength: 1, maxLength: 40 }), { maxLength: 5 }), (groups) => {
      const { frames, lost } = read(groups.map((lines) => lines.join('\n')));
      expect(frames.map((text) => text.trim())).toEqual(groups.flat().map((text) => oneLine(text).trim()));
      expect(lost).toEqual([]);
    }),
  );
});

test('a message of its own may have line breaks in it, which become spaces', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const texts = values.map((value) => JSON.stringify(value, undefined, 2));
      expect(read(texts)).toEqual({ frames: texts.map(oneLine), lost: [] });
    }),
  );
});

test('what is lost of a message in lines does not reach into the next one', () => {
  expect(read(['{"a":1}\n{"b":', '{"c":3}'])).toEqual({ frames: ['{"a":1}', '{"c":3}'], lost: ['not-json'] });
});
