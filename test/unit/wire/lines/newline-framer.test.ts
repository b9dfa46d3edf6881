import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { rawText } from '../../../../src/wire/lens.ts';
import type { LostLine } from '../../../../src/wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../../../../src/wire/lines/newline-framer.ts';
import { MAX_MEMBERS, MAX_PARTS } from '../../../../src/wire/scanning/limits.ts';
import { JsonScanner } from '../../../../src/wire/scanning/scanner.ts';
import { cut, cuts, nearlyJsonLines, oneLine } from '../arbitraries.ts';

interface Heard {
  /** Frames as the exact bytes of their values (one character a byte), lost lines as what is told of them; in order. */
  readonly events: (string | { reason: LostLine['reason']; head: string; tail: string; bytes: number })[];
  readonly frames: Frame[];
}

function listen(maxBytes?: number) {
  const heard: Heard = { events: [], frames: [] };
  const framer = new NewlineFramer(
    {
      onFrame(frame) {
        heard.frames.push(frame);
        heard.events.push(toBuffer(frame.bytes()).toString('latin1'));
      },
      onLostLine({ reason, head, tail, bytes }) {
        heard.events.push({ reason, head: head.toString('latin1'), tail: tail.toString('latin1'), bytes });
      },
    },
    maxBytes,
  );
  return { framer, heard };
}

function hear(pieces: readonly Buffer[], maxBytes?: number): Heard {
  const { framer, heard } = listen(maxBytes);
  for (const piece of pieces) framer.push(piece);
  framer.end();
  return heard;
}

const eventsOf = (text: string | Buffer, maxBytes?: number) => hear([Buffer.from(text as string)], maxBytes).events;

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

const trimmed = (line: string) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, '');

/** A byte order mark, one character a byte. */
const MARK = '\xef\xbb\xbf';

/** What must be heard of a stream, by the plainest means. */
function expected(stream: Buffer, maxBytes: number): Heard['events'] {
  const lines = stream.toString('latin1').split('\n');
  return lines.flatMap((marked): Heard['events'] => {
    const line = marked.startsWith(MARK) ? marked.slice(MARK.length) : marked;
    if (/^[ \t\r]*$/.test(line) && line.length <= maxBytes) return [];
    const lost = { head: line.slice(0, 4096), tail: line.slice(-256), bytes: line.length };
    if (line.length > maxBytes) return [{ reason: 'too-large', ...lost }];
    return isJson(Buffer.from(line, 'latin1')) ? [oneLine(trimmed(line))] : [{ reason: 'not-json', ...lost }];
  });
}

const mark = fc.constantFrom(
  '',
  '',
  '\xef\xbb\xbf',
  '\xef\xbb',
  '\xef',
  '\xef\xbb\xbf\xef\xbb\xbf',
  '\xef\n',
  '\xef\xbb\xbf\n',
  '1\n\xef\xbb\xbf',
  '1\n\xef\xbb',
);
const streams = fc
  .tuple(mark, fc.array(nearlyJsonLines, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([head, lines, newline, closed]) => {
    const text = lines.map((line) => line.toString('latin1')).join(newline) + (closed ? newline : '');
    return Buffer.from(head + text, 'latin1');
  });

afterEach(() => vi.restoreAllMocks());

describe('lines', () => {
  test('are the same frames and lost lines however the stream is cut, and cut at newlines only', () => {
    fc.assert(
      fc.property(streams, cuts, fc.constantFrom(10, 40, 1_000_000), (stream, places, maxBytes) => {
        expect(hear(cut(stream, places), maxBytes).events).toEqual(expected(stream, maxBytes));
      }),
      { numRuns: 700 },
    );
  });

  test('come with an outline that says of the frame what a scan of its value alone says', () => {
    const parts = (frame: Frame) => {
      const { outline, text } = frame;
      const members = outline.members.map((member) => {
        const key = rawText(text, { start: member.keyStart, end: member.keyEnd });
        return [member.key, key, rawText(text, member), frame.raw(member), frame.byteAt(member.start)];
      });
      return { kind: outline.kind, value: rawText(text, outline), members };
    };
    fc.assert(
      fc.property(streams, cuts, (stream, places) => {
        for (const frame of hear(cut(stream, places)).frames) {
          expect(parts(frame)).toEqual(parts(Frame.of(toBuffer(frame.bytes()))));
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['CRLF', '{"a":1}\r\n[2]\r\n', ['{"a":1}', '[2]']],
    ['a lone CR is white space, and a space in the frame', '[1,\r2]\n', ['[1, 2]']],
    ['no newline at the end', '1\n2', ['1', '2']],
    ['blank lines', '\n\r\n  \n\t\n1\n\n', ['1']],
    ['U+2028 and U+2029 in a string', '["\u2028\u2029"]\n', ['["\xe2\x80\xa8\xe2\x80\xa9"]']],
    ['U+0085 and a vertical tab cut nothing', '["\u0085"]\n"\u000b"\n', ['["\xc2\x85"]', 'lost']],
    ['NUL, escaped', '["\\u0000"]\n', ['["\\u0000"]']],
    ['NUL, raw', '["\0"]\n1\n', ['lost', '1']],
    ['a byte order mark', '\ufeff1\n2\n', ['1', '2']],
    ['a byte order mark on the second line', '1\n\ufeff2\n3\n', ['1', '2', '3']],
    ['two byte order marks', '\ufeff\ufeff1\n2\n', ['lost', '2']],
    ['a byte order mark alone', '\ufeff', []],
    ['plain text, ANSI, numbers', 'Ready.\n\x1b[32mok\x1b[0m\n123\nnull\n[]\n', ['lost', 'lost', '123', 'null', '[]']],
    ['two messages on one line', '{"id":1}{"id":2}\n3\n', ['lost', '3']],
    ['a text that goes on after a newline', '{"a":\n1}\n2\n', ['lost', 'lost', '2']],
  ])('%s', (_name, stream, lines) => {
    const events = eventsOf(stream).map((event) => (typeof event === 'string' ? event : 'lost'));
    expect(events).toEqual(lines);
    expect(hear(cut(Buffer.from(stream), 'everywhere')).events).toEqual(eventsOf(stream));
  });

  test('invalid UTF-8 in a string passes as it came', () => {
    const line = Buffer.from('{"a":"\xff\xc3("}', 'latin1');
    expect(eventsOf(Buffer.concat([line, Buffer.from('\n1')]))).toEqual([line.toString('latin1'), '1']);
  });

  test('a mark that breaks off is part of the first line, also when the stream ends there', () => {
    const lost = (head: string) => ({ reason: 'not-json', head, tail: head, bytes: head.length });
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(hear([bytes('\xef'), bytes('\xbb1\n2')]).events).toEqual([lost('\xef\xbb1'), '2']);
    expect(hear([bytes('\xef\xbb'), bytes('\n2')]).events).toEqual([lost('\xef\xbb'), '2']);
    expect(hear([bytes('\xef'), bytes('\xbb')]).events).toEqual([lost('\xef\xbb')]);
  });

  test('are reported before push returns, and once', () => {
    const { framer, heard } = listen();
    framer.push(Buffer.from('1\n2'));
    expect(heard.events).toEqual(['1']);
    framer.push(Buffer.from('3\nx\n'));
    expect(heard.events).toEqual(['1', '23', expect.objectContaining({ reason: 'not-json' })]);
    framer.end();
    framer.end();
    expect(heard.events).toHaveLength(3);
  });
});

describe('lines that are lost', () => {
  test('a line of just the limit is a frame; one more byte, its CR included, is too much', () => {
    const line = `"${'x'.repeat(98)}"`;
    expect(eventsOf(`${line}\n1`, 100)).toEqual([line, '1']);
    expect(eventsOf(`${line}\r\n1`, 100)).toEqual([
      { reason: 'too-large', head: `${line}\r`, tail: `${line}\r`, bytes: 101 },
      '1',
    ]);
  });

  test('keep 4,096 bytes of their head and 256 of their tail, however they arrive', () => {
    const line = `{"jsonrpc":"2.0","id":7,"result":{"text":"${'abcdefghij'.repeat(2_000)}"}}`;
    const told = { reason: 'too-large', head: line.slice(0, 4096), tail: line.slice(-256), bytes: line.length };
    for (const places of [[], [100], [4_095, 4_096, 4_097, 19_900], 'everywhere'] as const) {
      expect(hear(cut(Buffer.from(`${line}\n1\n`), places), 10_000).events).toEqual([told, '1']);
    }
  });

  test('a line that is broken and too large is too large, in one piece or in many', () => {
    const line = `not json ${'x'.repeat(200)}`;
    for (const places of [[], [1], [50, 150], 'everywhere'] as const) {
      expect(hear(cut(Buffer.from(`${line}\n1`), places), 100).events).toMatchObject([{ reason: 'too-large' }, '1']);
    }
  });

  test('a line that begins with much white space is lost like any other', () => {
    const blank = ' '.repeat(5_000);
    expect(eventsOf(`${blank}not json\n1`)).toMatchObject([{ reason: 'not-json', bytes: 5_008 }, '1']);
    expect(eventsOf(`${blank}1\n1`, 1_000)).toMatchObject([{ reason: 'too-large', bytes: 5_001 }, '1']);
    expect(eventsOf(`${blank}\n1`)).toEqual(['1']);
  });

  test('a long key with a bad escape at its end is a lost line, and the next one is heard', () => {
    const key = 'k'.repeat(5_000);
    expect(eventsOf(`{"${key}\\x":1}\n1`)).toMatchObject([{ reason: 'not-json' }, '1']);
  });

  test('too deep a line is lost, and the next one is heard', () => {
    expect(eventsOf(`${'['.repeat(100_000)}\n1`)).toMatchObject([{ reason: 'not-json', bytes: 100_000 }, '1']);
  });

  test('nothing is kept of a line over the limit but its head and tail', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { framer, heard } = listen(100_000);
    const chunks: WeakRef<ArrayBufferLike>[] = [];
    framer.push(Buffer.from('"'));
    for (let count = 0; count < 64; count++) {
      const chunk = Buffer.from(new ArrayBuffer(65_536)).fill('x');
      chunks.push(new WeakRef(chunk.buffer));
      framer.push(chunk);
    }
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const kept = chunks.filter((chunk) => chunk.deref() !== undefined);
    expect(kept.length).toBeLessThanOrEqual(1);
    framer.push(Buffer.from('"\n1\n'));
    expect(heard.events).toMatchObject([{ reason: 'too-large', bytes: 64 * 65_536 + 2 }, '1']);
  });
});

describe('work', () => {
  /** Bytes given to the scanner, and bytes copied by joining, while a stream comes in pieces of one size. */
  function workFor(stream: Buffer, pieceBytes: number, maxBytes?: number) {
    const scanned = vi.spyOn(JsonScanner.prototype, 'push');
    const joined = vi.spyOn(Buffer, 'concat');
    let reported = 0;
    const report = () => {
      reported++;
    };
    const framer = new NewlineFramer({ onFrame: report, onLostLine: report }, maxBytes);
    for (let at = 0; at < stream.length; at += pieceBytes) framer.push(stream.subarray(at, at + pieceBytes));
    const work = {
      reported,
      scanned: scanned.mock.calls.reduce((sum, [piece, from = 0, to = piece.length]) => sum + to - from, 0),
      copied: joined.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0),
    };
    vi.restoreAllMocks();
    return work;
  }

  test.each([1_000_000, 65_536, 100])(
    'each byte of a frame is scanned once and copied never, in pieces of %i',
    (size) => {
      const line = `{"a":"${'x'.repeat(300_000)}","b":[${'1,'.repeat(50_000)}1]}`;
      expect(workFor(Buffer.from(`${line}\n`), size)).toEqual({ reported: 1, scanned: line.length, copied: 0 });
    },
  );

  test('of a line over the limit no more than the limit is scanned, and little of each piece is copied', () => {
    const { scanned, copied } = workFor(Buffer.from(`"${'x'.repeat(1_000_000)}`), 1_000, 50_000);
    expect(scanned).toBeLessThanOrEqual(50_000);
    // The head, piece by piece; and for each piece the tail so far with the piece's own.
    expect(copied).toBeLessThanOrEqual(5 * 4_096 + 1_001 * 512);
  });

  test('of a broken line nothing is scanned after the piece with the fault', () => {
    expect(workFor(Buffer.from(`oops ${'x'.repeat(1_000_000)}`), 1_000).scanned).toBe(1_000);
  });
});

describe('a line that grows long', () => {
  const head = '{"jsonrpc":"2.0","id":7,"result":"';
  const push = (isWanted: (head: Buffer) => boolean) => {
    const events: string[] = [];
    const framer = new NewlineFramer({
      onFrame: (frame) => events.push(`frame of ${toBuffer(frame.bytes()).length}`),
      onLostLine: ({ reason, bytes }) => events.push(`${reason}, ${bytes} bytes`),
      isWanted,
    });
    framer.push(Buffer.from(head));
    for (let piece = 0; piece < 4; piece++) framer.push(Buffer.alloc(64 * 1024, 'x'));
    framer.push(Buffer.from('"}\n{"jsonrpc":"2.0"}\n'));
    return events;
  };
  const length = head.length + 4 * 64 * 1024 + 2;

  test('is skipped when nobody wants it; the next one is heard', () => {
    const asked: string[] = [];
    const events = push((beginning) => {
      asked.push(beginning.toString('latin1'));
      return false;
    });
    expect(asked.map((beginning) => beginning.slice(0, head.length))).toEqual([head]);
    expect(events).toEqual([`unwanted, ${length} bytes`, 'frame of 17']);
  });

  test('is kept when it is wanted', () => {
    expect(push(() => true)).toEqual([`frame of ${length}`, 'frame of 17']);
  });
});

describe('a peer decides how its text is cut', () => {
  const framesOf = (pieces: readonly Buffer[]) => {
    const frames: Frame[] = [];
    const lost: string[] = [];
    const framer = new NewlineFramer({
      onFrame: (frame) => frames.push(frame),
      onLostLine: ({ reason }) => lost.push(reason),
    });
    for (const piece of pieces) framer.push(piece);
    return { frames, lost };
  };

  test('a frame that came byte by byte has few pieces', () => {
    const text = Buffer.from(`{"a":"${'x'.repeat(100_000)}"}\n`);
    const { frames } = framesOf(Array.from(text, (_byte, at) => text.subarray(at, at + 1)));
    expect(frames.map(({ pieces }) => pieces.length < 20)).toEqual([true]);
    expect(toBuffer(frames[0]!.bytes()).equals(text.subarray(0, -1))).toBe(true);
  });

  test.each([
    ['array', `[${'1,'.repeat(MAX_PARTS)}1]`],
    ['object', `{${'"a":1,'.repeat(MAX_PARTS)}"a":1}`],
  ])('an %s of very many parts is no frame', (_kind, text) => {
    const line = Buffer.from(`${text}\n{"a":1}\n`);
    expect(framesOf([line])).toMatchObject({ frames: [{}], lost: ['not-json'] });
    expect(framesOf([line.subarray(0, 1_000), line.subarray(1_000)])).toMatchObject({
      frames: [{}],
      lost: ['not-json'],
    });
    expect(() => Frame.ofPeer(Buffer.from(text))).toThrow(`more than ${MAX_PARTS} members or elements`);
  });

  test('a text with an object of very many members inside is no frame, and the reason says so', () => {
    const inside = (count: number) => `{"result":{"content":[{${'"a":1,'.repeat(count - 1)}"a":1}]}}`;
    const problems: (string | undefined)[] = [];
    const frames: Frame[] = [];
    const receiver = {
      onFrame: (frame: Frame) => frames.push(frame),
      onLostLine: ({ problem }: LostLine) => problems.push(problem),
    };
    const framer = new NewlineFramer(receiver);
    framer.push(Buffer.from(`${inside(MAX_MEMBERS)}\n${inside(MAX_MEMBERS + 1)}\n`));
    expect(frames).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining(`an object with more than ${MAX_MEMBERS} members`)]);
    expect(() => Frame.ofPeer(Buffer.from(inside(MAX_MEMBERS + 1)))).toThrow('an object with more than');
  });

  test('many objects of few members, and arrays of very many values, are taken', () => {
    const rows = `{"rows":[${'{"a":1,"b":2},'.repeat(MAX_MEMBERS)}{}],"values":[${'1,'.repeat(MAX_MEMBERS)}1]}`;
    const { frames, lost } = framesOf([Buffer.from(`{"result":${rows}}\n`)]);
    expect([frames.length, lost]).toEqual([1, []]);
  });

  test.each([
    ['elements of an array', `{"result":[${'1,'.repeat(MAX_PARTS)}1]}`],
    ['members further inside', `{"result":{"data":{${'"a":1,'.repeat(MAX_PARTS)}"a":1}}}`],
    ['members of several objects', `[${'{"a":1,"b":2},'.repeat(MAX_PARTS - 1)}{}]`],
  ])('a frame may have very many %s', (_what, text) => {
    const line = Buffer.from(`${text}\n`);
    expect(framesOf([line])).toMatchObject({ frames: [{}], lost: [] });
    expect(framesOf([line.subarray(0, 1_000), line.subarray(1_000)])).toMatchObject({ frames: [{}], lost: [] });
  });
});
