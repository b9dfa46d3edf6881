import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import type { LostLine } from '../../../../src/wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../../../../src/wire/lines/newline-framer.ts';
import { JsonScanner } from '../../../../src/wire/scanning/scanner.ts';
import { type Cuts, cut, cuts, jsonLines, jsonTexts, nearlyJson, oneLine } from '../arbitraries.ts';

const MARK = '\xef\xbb\xbf';

type Event = string | Pick<LostLine, 'reason' | 'bytes' | 'isCutOff'>;

function listen(maxBytes?: number, isWanted = () => true) {
  const events: Event[] = [];
  const heads: string[] = [];
  const receiver = {
    onFrame: (frame: { bytes(): Parameters<typeof toBuffer>[0] }) =>
      void events.push(toBuffer(frame.bytes()).toString('latin1')),
    onLostLine: ({ reason, bytes, isCutOff, head }: LostLine) => {
      events.push({ reason, bytes, isCutOff });
      heads.push(head.toString('latin1'));
    },
    isWanted,
  };
  return { events, heads, framer: new NewlineFramer(receiver, maxBytes, { takesSpreadTexts: true }) };
}

function eventsOf(stream: Buffer | string, places: Cuts = [], maxBytes?: number): Event[] {
  const { framer, events } = listen(maxBytes);
  for (const piece of cut(Buffer.from(stream as string), places)) framer.push(piece);
  framer.end();
  return events;
}

/** With each lost line as a word. */
const told = (events: readonly Event[]) => events.map((event) => (typeof event === 'string' ? event : 'lost'));

const lost = (bytes: number, more: Partial<LostLine> = {}): Event => ({
  reason: 'not-json',
  bytes,
  isCutOff: false,
  ...more,
});

function parsed(text: string): any {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A text that may go on, and is not whole yet. */
function isBeginning(text: string): boolean {
  const scanner = new JsonScanner();
  try {
    scanner.push(Buffer.from(text, 'latin1'));
    return !scanner.isDone && !scanner.isBlank;
  } catch {
    return false;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isMessage(line: string): boolean {
  const value = parsed(line);
  if (Array.isArray(value)) return isObject(value[0]) && Object.hasOwn(value[0], 'jsonrpc');
  if (!isObject(value)) return false;
  const has = (name: string) => Object.hasOwn(value, name);
  return has('jsonrpc') || (line.startsWith('{') && has('id') && (has('result') || has('error')));
}

const trimmed = (text: string) => oneLine(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));

/** What must be heard of a stream, by the plainest means. */
function expected(stream: Buffer): Event[] {
  const events: Event[] = [];
  const lines = stream.toString('latin1').split('\n');
  let text = '';
  for (const [index, marked] of lines.entries()) {
    const isEnd = index === lines.length - 1;
    if (text !== '' && !isMessage(marked)) {
      const whole = text + marked;
      if (parsed(whole) !== undefined) {
        events.push(trimmed(whole));
        text = '';
        continue;
      }
      if (isEnd && isBeginning(whole)) {
        events.push(lost(whole.length, { isCutOff: true }));
        return events;
      }
      if (!isEnd && isBeginning(`${whole}\n`)) {
        text = `${whole}\n`;
        continue;
      }
    }
    if (text !== '') events.push(lost(text.length));
    text = '';
    const line = marked.startsWith(MARK) ? marked.slice(MARK.length) : marked;
    if (/^[ \t\r]*$/.test(line)) continue;
    if (parsed(line) !== undefined) events.push(trimmed(line));
    else if (!isEnd && isBeginning(`${line}\n`)) text = `${line}\n`;
    else events.push(lost(line.length, { isCutOff: isEnd }));
  }
  return events;
}

const messages = fc
  .tuple(fc.nat({ max: 99 }), jsonLines, fc.constantFrom('', ' ', MARK))
  .map(([id, value, before]) => `${before}{"jsonrpc":"2.0","id":${id},"result":${utf8(value)}}`);

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const items: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: messages },
  { weight: 3, arbitrary: jsonTexts.map((text) => utf8(`{\n"jsonrpc":"2.0",\n "id":1,"result":\n${text}\n}`)) },
  { weight: 2, arbitrary: jsonTexts.map(utf8) },
  { weight: 2, arbitrary: nearlyJson.map((bytes) => bytes.toString('latin1')) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('{"a":', '{', '[', '[1,', '{"a":1,', '{"a":"', '}', ']', 'log', `${MARK}{`, '{"id":1,'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '[{"jsonrpc":"2.0"}]',
      '{"id":1,"result":{}}',
      ' {"id":1,"error":{}}',
      '{"id":2}',
      '[{}]',
    ),
  },
);
const streams = fc.array(items, { maxLength: 7 }).map((parts) => Buffer.from(parts.join('\n'), 'latin1'));

afterEach(() => vi.restoreAllMocks());

describe('texts over several lines', () => {
  test('are frames, and messages around them arrive, however the stream is cut', () => {
    fc.assert(
      fc.property(streams, cuts, (stream, places) => {
        expect(eventsOf(stream, places)).toEqual(expected(stream));
      }),
      { numRuns: 1_500 },
    );
  });

  test('never hold back a message on a line of its own', () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 5 }), messages, cuts, (before, message, places) => {
        const { framer, events } = listen();
        const stream = Buffer.from([...before, message, ''].join('\n'), 'latin1');
        for (const piece of cut(stream, places)) framer.push(piece);
        const line = message.startsWith(MARK) ? message.slice(MARK.length) : message;
        expect(events.at(-1)).toBe(trimmed(line));
      }),
      { numRuns: 500 },
    );
  });

  const result = { content: [{ type: 'text', text: '{"jsonrpc":"2.0"}\n' }], more: [], none: {}, n: [1, 2.5, null] };
  const answer = { jsonrpc: '2.0', id: 11, result };
  const pretty = JSON.stringify(answer, null, 2);
  test.each([
    ['one behind the other', `${pretty}\n${pretty}\n`, 2],
    ['with tabs and CRLF', `${JSON.stringify(answer, null, '\t').replaceAll('\n', '\r\n')}\r\n`, 1],
    ['without a newline at the end', pretty, 1],
    ['with a mark in front of each', `\ufeff${pretty}\n\ufeff${pretty}\n`, 2],
    ['with blank lines in it', `${pretty.replaceAll('\n', '\n\n')}\n`, 1],
    ['without indents', `${pretty.replaceAll(/\n */g, '\n')}\n`, 1],
    ['a batch', `${JSON.stringify([answer, answer], null, 4)}\n`, 1],
  ])('%s', (_name, stream, count) => {
    for (const places of [[], 'everywhere'] as const) {
      const events = eventsOf(stream, places);
      expect(events).toHaveLength(count);
      for (const event of events) expect([answer, [answer, answer]]).toContainEqual(JSON.parse(event as string));
    }
  });

  const message = '{"jsonrpc":"2.0","id":1,"result":{}}';
  test.each([
    ['a broken line', `{"a":\n${message}\n${message}\n`, ['lost', message, message]],
    ['two broken lines', `{"a":\n{"b":\n${message}\n`, ['lost', message]],
    ['a broken line with text behind it', `{"a":\nlog\n${message}\n`, ['lost', 'lost', message]],
    ['half a message', `${pretty.split('\n', 4).join('\n')}\n${message}\n`, ['lost', message]],
    ['a broken line at the end', `{"a":\n${message}`, ['lost', message]],
    ['a batch behind a broken line', `[\n[${message}]\n`, ['lost', `[${message}]`]],
    ['a mark behind a broken line', `{"a":\n\ufeff${message}\n`, ['lost', message]],
    ['a string with a newline in it', `{"a":"b\n${message}\n`, ['lost', message]],
  ])('%s', (_name, stream, events) => {
    expect(told(eventsOf(stream))).toEqual(events);
    expect(eventsOf(stream, 'everywhere')).toEqual(eventsOf(stream));
  });

  test('that are lost are told of as one, with the head in which their id stands', () => {
    const { framer, events, heads } = listen();
    framer.push(Buffer.from('{\n  "jsonrpc": "2.0",\n  "id": 11,\n  "result": oops\n}\n'));
    expect(events[0]).toEqual(lost(34));
    expect(heads[0]).toBe('{\n  "jsonrpc": "2.0",\n  "id": 11,\n');
  });

  test('are given up when nothing more comes of them', () => {
    const { framer, events } = listen();
    framer.push(Buffer.from('{"jsonrpc":"2.0","id":11,"result":\n'));
    expect(framer.isInSpreadText).toBe(true);
    expect(events).toEqual([]);
    framer.giveUpSpreadText();
    expect(framer.isInSpreadText).toBe(false);
    expect(events).toEqual([lost(35)]);
    framer.push(Buffer.from(`${message}\n`));
    expect(events.at(-1)).toBe(message);
  });
});

describe('a text over the limit', () => {
  const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(100).split('') }, null, 1);

  test('is one lost line, and what follows arrives', () => {
    for (const places of [[], [30], [30, 31, 60, 200], 'everywhere'] as const) {
      expect(eventsOf(`${long}\n1\n`, places, 100)).toEqual([lost(long.length + 1, { reason: 'too-large' }), '1']);
    }
  });

  test('may have just the limit', () => {
    expect(told(eventsOf(`${long}\n`, [40], long.length + 1))).toHaveLength(1);
    expect(told(eventsOf(`${long}\n`, [40], long.length + 1))).not.toContain('lost');
    expect(told(eventsOf(`${long}\n`, [40], long.length))).toEqual(['lost']);
  });

  test('ends at a line that is not indented', () => {
    const message = '{"jsonrpc":"2.0","id":1}';
    expect(told(eventsOf(`${long.slice(0, -2)}\n${message}\n`, [50, 60], 100))).toEqual(['lost', message]);
  });

  test('nobody wants it: it is skipped', () => {
    const { framer, events } = listen(undefined, () => false);
    const text = Buffer.from(JSON.stringify({ id: 1, result: Array(50_000).fill('xyz') }, null, 1));
    for (let at = 0; at < text.length; at += 65_536) framer.push(text.subarray(at, at + 65_536));
    framer.push(Buffer.from('\n1\n'));
    expect(events).toEqual([lost(text.length + 1, { reason: 'unwanted' }), '1']);
  });
});

describe('work', () => {
  function scannedOf(stream: Buffer, pieceBytes: number): number {
    const scanned = vi.spyOn(JsonScanner.prototype, 'push');
    const { framer } = listen();
    for (let at = 0; at < stream.length; at += pieceBytes) framer.push(stream.subarray(at, at + pieceBytes));
    framer.end();
    const bytes = scanned.mock.calls.reduce((sum, [piece, from = 0, to = piece.length]) => sum + to - from, 0);
    vi.restoreAllMocks();
    return bytes;
  }

  test.each([
    ['pretty texts', JSON.stringify(Array(2_000).fill({ jsonrpc: '2.0', a: [1] }), null, 2)],
    ['broken lines', '{"a":\n'.repeat(5_000)],
    ['open brackets', '[\n'.repeat(20_000)],
    ['texts that break late', `{\n${'"a": {},\n'.repeat(100)}oops\n`.repeat(50)],
    ['messages behind broken lines', '{"a":\n{"jsonrpc":"2.0"}\n'.repeat(2_000)],
    ['objects of one line in a text', `[\n${'{"a":[{}]}\n,\n'.repeat(3_000)}`],
    ['arrays of one line in a text', `[\n${'[{"a":[{}]}]\n,\n'.repeat(3_000)}`],
  ])('%s are scanned a few times at most, however they are cut', (_name, text) => {
    const stream = Buffer.from(text);
    for (const size of [stream.length, 4_096, 7])
      expect(scannedOf(stream, size)).toBeLessThanOrEqual(5 * stream.length);
  });

  test('a frame of one line is scanned once', () => {
    const line = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
    expect(scannedOf(Buffer.from(line.repeat(100)), 1_000_000)).toBe(100 * (line.length - 1));
  });

  test('stops at a deadline after some lines, and goes on from there', () => {
    const { framer, events } = listen();
    const stream = Buffer.from(`[\n${'1,\n'.repeat(100)}1]\n2\n`);
    let at = 0;
    let pushes = 0;
    for (; at < stream.length; pushes++) at += framer.push(stream.subarray(at), 0);
    expect(pushes).toBeGreaterThan(5);
    expect(told(events)).toEqual([`[ ${'1, '.repeat(100)}1]`, '2']);
  });
});
