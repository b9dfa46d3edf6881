import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventFramer, type StreamPosition } from '../../../../../src/upstream/transports/http/event-framer.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import type { Frame } from '../../../../../src/wire/frame.ts';
import { cut, cuts, jsonTexts } from '../../../wire/arbitraries.ts';

/** What a stream, in these pieces, comes to. */
function read(pieces: readonly (Buffer | string)[], { maxBytes = 1_000_000, ends = true } = {}) {
  const position: StreamPosition = { lastEventId: undefined, retryMs: undefined };
  const frames: string[] = [];
  const lost: string[] = [];
  const named: string[] = [];
  const framer = new EventFramer(
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: ({ reason }) => lost.push(reason),
      onNamedEvent: (type, data) => named.push(`${type}: ${data.toString()}`),
    },
    maxBytes,
    position,
  );
  for (const piece of pieces) framer.push(Buffer.from(piece as string));
  if (ends) framer.end();
  return { frames, lost, named, position };
}

describe('events', () => {
  test.each([
    ['of one line', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['without a blank behind the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
    ['with CR LF', 'data: {"a":1}\r\n\r\ndata: 2\r\n\r\n', ['{"a":1}', '2']],
    ['with CR alone', 'data: {"a":1}\r\rdata: 2\r\r', ['{"a":1}', '2']],
    ['of several lines', 'data: {"a":\ndata: 1,\ndata: "b":2}\n\n', ['{"a": 1, "b":2}']],
    ['with other fields around', 'id: 1\nevent: message\ndata: 1\nretry: 5\nfoo: bar\nfoo\n\n', ['1']],
    ['of another type', 'event: ping\ndata: 1\n\ndata: 2\n\n', ['2']],
    ['whose type comes behind the data', 'data: 1\nevent: ping\n\ndata: 2\n\n', ['2']],
    ['between comments', ': hello\n\n:\n:data: 1\ndata: 1\n: bye\n\n', ['1']],
    ['behind an empty one', 'id: 0\ndata:\n\ndata: \n\ndata\n\ndata: 1\n\n', ['1']],
    ['behind a byte order mark', '\ufeffdata: 1\n\n', ['1']],
    ['behind very many blank lines', `${'\n'.repeat(1_000)}data: 1\n\n`, ['1']],
    ['with a colon in the data', 'data: "a: b"\n\n', ['"a: b"']],
    ['with letters that are not ASCII', 'data: "é 😀"\n\n', ['"é 😀"']],
    ['that the stream cuts off, where they are whole', 'data: 1\n\ndata: {"a":2}', ['1', '{"a":2}']],
    ['with a field of any length', `${'x'.repeat(100)}: data\n${'y'.repeat(100)}\ndata: 1\n\n`, ['1']],
  ])('%s', (_what, text, expected) => {
    expect(read([text])).toMatchObject({ frames: expected, lost: [] });
  });

  test('data of another type that is no JSON is told by its name', () => {
    const text =
      'event: endpoint\ndata: /in?a=1\n\ndata: http://x\nevent: other\n\nevent: ping\ndata: 1\n\ndata: 2\n\n';
    expect(read([text])).toMatchObject({
      frames: ['2'],
      lost: [],
      named: ['endpoint: /in?a=1', 'other: http://x'],
    });
  });

  test('an event that is cut off and can be sent again is not taken', () => {
    expect(read(['id: 7\ndata: 1']).frames).toEqual([]);
    expect(read(['data: 1\nid: 7\n']).frames).toEqual([]);
    expect(read(['data: 1\nid: 7']).frames).toEqual([]);
  });

  test.each([
    ['no JSON', 'data: oops\n\ndata: 1\n\n', 'not-json'],
    ['a line break inside a string', 'data: "a\ndata: b"\n\ndata: 1\n\n', 'not-json'],
    ['too much', `data: "${'x'.repeat(200)}"\n\ndata: 1\n\n`, 'too-large'],
    ['too much on many lines', `${'data: 1\n'.repeat(200)}\ndata: 1\n\n`, 'too-large'],
  ])('%s is lost, and what follows is read', (_what, text, reason) => {
    expect(read([text], { maxBytes: 100 })).toMatchObject({ frames: ['1'], lost: [reason] });
  });
});

describe('the position', () => {
  test.each([
    ['id: 1\ndata: 1\n\nid: 2\ndata:\n\n', { lastEventId: '2' }],
    ['id: 1\ndata: 1\n\nid: 2\ndata: 1\n', { lastEventId: '1' }],
    ['id: 1\ndata: 1\n\nid\ndata: 1\n\n', { lastEventId: undefined }],
    ['id: 1\ndata: 1\n\nid: a\0b\n\n', { lastEventId: '1' }],
    ['id: 1\ndata: 1\n\nid: a\u001bb\n\n', { lastEventId: '1' }],
    ['id: 1\ndata: 1\n\nid: a\u007f\n\n', { lastEventId: '1' }],
    [`id: 1\n\nid: ${'x'.repeat(5_000)}\n\n`, { lastEventId: '1' }],
    ['id: 1\n\ndata: 1\n\n', { lastEventId: '1' }],
    ['id: é\n\n', { lastEventId: '\u00c3\u00a9' }],
    ['retry: 250\n', { retryMs: 250 }],
    ['retry: 250\n\nretry: soon\n\n', { retryMs: 250 }],
    ['retry: -1\n\n', { retryMs: undefined }],
  ])('after %j is %j', (text, expected) => {
    expect(read([text], { ends: false }).position).toMatchObject(expected);
  });

  test('is that of an event when its data is handed on', () => {
    const position: StreamPosition = { lastEventId: undefined, retryMs: undefined };
    const seen: (string | undefined)[] = [];
    const receiver = { onFrame: () => seen.push(position.lastEventId), onLostLine: () => undefined };
    new EventFramer(receiver, 100, position).push(Buffer.from('data: 1\nid: 7\n\ndata: 2\n\n'));
    expect(seen).toEqual(['7', '7']);
  });
});

test('a large event that nobody wants is not kept', () => {
  const lost: string[] = [];
  const receiver = {
    onFrame: () => undefined,
    onLostLine: ({ reason }: { reason: string }) => lost.push(reason),
    isWanted: () => false,
  };
  const framer = new EventFramer(receiver, 10_000_000, { lastEventId: undefined, retryMs: undefined });
  framer.push(Buffer.from('data: "'));
  for (let count = 0; count < 20; count++) framer.push(Buffer.from('x'.repeat(16_384)));
  framer.push(Buffer.from('"\n\n'));
  expect(lost).toEqual(['unwanted']);
});

test('a stream is the same however it is cut, and whatever its line ends are', () => {
  const event = fc.record({
    text: jsonTexts.map((json) => json.split(/\r\n|\r|\n/)),
    id: fc.option(fc.stringMatching(/^[a-z0-9]{1,5}$/), { nil: undefined }),
    comment: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'), cuts, (events, end, places) => {
      const blocks = events.map(({ text, id, comment }) =>
        [
          ...(comment ? [': keep alive'] : []),
          ...(id === undefined ? [] : [`id: ${id}`]),
          ...text.map((line) => `data: ${line}`),
          '',
          '',
        ].join(end),
      );
      const whole = read([blocks.join('')]);
      expect(read(cut(Buffer.from(blocks.join('')), places))).toEqual(whole);
      expect(whole.frames.map((frame) => JSON.parse(frame))).toEqual(
        events.map(({ text }) => JSON.parse(text.join('\n'))),
      );
      expect(whole.lost).toEqual([]);
    }),
  );
});

test('no bytes make it throw', () => {
  const crumbs = fc.constantFrom('data: ', 'data', 'id: ', 'retry: 1', ':', '\n', '\r', '\0', '{"a":1}', '{', '\ufeff');
  fc.assert(
    fc.property(fc.array(crumbs), cuts, (parts, places) => {
      const bytes = Buffer.from(parts.join(''));
      expect(read(cut(bytes, places))).toEqual(read([bytes]));
    }),
  );
});

test.each([
  ['', 0],
  ['  ', 1],
])('an event of very many lines with the data %j has few pieces', (data, blanks) => {
  const lines = 50_000;
  const frames: Frame[] = [];
  const position = { lastEventId: undefined, retryMs: undefined };
  const framer = new EventFramer(
    { onFrame: (frame) => frames.push(frame), onLostLine: () => expect.unreachable() },
    1_000_000,
    position,
  );
  framer.push(Buffer.from(`${`data:${data}\n`.repeat(lines)}data:{"a":1}\n\n`));
  expect(frames).toHaveLength(1);
  // The separators of the lines are white space.
  expect(frames[0]!.outline.start).toBe(lines * (1 + blanks));
  expect(frames[0]!.pieces.length).toBeLessThan(20);
});
