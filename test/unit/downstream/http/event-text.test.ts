import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventText } from '../../../../src/downstream/http/streams/event-stream.ts';
import { EventFramer } from '../../../../src/upstream/transports/http/event-framer.ts';
import { type Bytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { LINE_ENDS } from '../../../support/lines.ts';
import { lineStrings } from '../../../support/spelling.ts';
import { cut, cuts, jsonTexts } from '../../wire/arbitraries.ts';

const LINE_END = new RegExp(['\r\n', ...LINE_ENDS].join('|'));

/** The messages that a client reads in an event. */
function read(event: Bytes): unknown[] {
  const messages: unknown[] = [];
  const framer = new EventFramer(
    { onFrame: (frame) => messages.push(JSON.parse(frame.text.toString())), onLostLine: () => messages.push('lost') },
    1_000_000,
    { lastEventId: undefined, retryMs: undefined },
  );
  framer.push(toBuffer(event));
  return messages;
}

test('any JSON is one event with one line of data, wherever a client ends lines', () => {
  fc.assert(
    fc.property(jsonTexts, fc.array(lineStrings), cuts, (json, strings, places) => {
      const text = `[${json},\r\n${JSON.stringify(strings)}\r]`;
      for (const bytes of [Buffer.from(text).toString('latin1'), cut(Buffer.from(text), places)]) {
        const event = eventText(bytes, '7');
        const lines = toBuffer(event).toString().split(LINE_END);
        expect(lines).toEqual(['id: 7', 'event: message', expect.stringMatching(/^data: /), '', '']);
        expect(JSON.parse(lines[2]!.slice('data: '.length))).toEqual(JSON.parse(text));
        expect(read(event)).toEqual([JSON.parse(text)]);
      }
    }),
    { numRuns: 300 },
  );
});

test('a text in a string cannot be a field of its own, such as the id to go on from', () => {
  for (const end of LINE_ENDS) {
    const event = toBuffer(eventText(JSON.stringify({ text: `${end}${end}id: 9${end}retry: 1${end}` }))).toString();
    expect(event.split(LINE_END).filter((line) => /^(id|retry)/.test(line))).toEqual([]);
  }
});
