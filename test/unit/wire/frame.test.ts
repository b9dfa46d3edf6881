import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, byteLength, toBuffer } from '../../../src/wire/bytes.ts';
import { type Edit, Frame } from '../../../src/wire/frame.ts';
import { outlineOf } from '../../../src/wire/lens.ts';
import { readMessage } from '../../../src/wire/message.ts';
import { JsonScanner } from '../../../src/wire/scanning/scanner.ts';
import { cut, cuts, jsonTexts, nearlyJson, oneLine } from './arbitraries.ts';

function frameOf(pieces: readonly Buffer[]): Frame {
  const scanner = new JsonScanner();
  for (const piece of pieces) scanner.push(piece);
  return new Frame(pieces, scanner.finish());
}

/** A text that stands in the middle of a chunk, as most frames do. */
function frameWithin(before: Buffer, text: Buffer, after: Buffer): Frame {
  const chunk = Buffer.concat([before, text, after]);
  const end = before.length + text.length;
  return new Frame([chunk], outlineOf(chunk, { start: before.length, end }));
}

const latin1 = (bytes: Bytes): string => toBuffer(bytes).toString('latin1');

/** Edits at places within the value, in order and without overlap, from places in any order. */
function editsAt(places: readonly number[], texts: readonly string[], { start, end }: { start: number; end: number }) {
  const sorted = places.map((place) => start + (place % (end - start + 1))).sort((a, b) => a - b);
  return texts.slice(0, Math.floor(sorted.length / 2)).map((text, index): Edit => {
    return { start: sorted[2 * index]!, end: sorted[2 * index + 1]!, text };
  });
}

/** What splicing means, by the plainest means. */
function spliced(text: string, edits: readonly Edit[]): string {
  return edits
    .toReversed()
    .reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), text);
}

/** Bytes, one character each: what replaces a span is not ordinary text. */
const replacements = fc.array(fc.constantFrom('', '1', '"\xc3\xa9"', '"\xff"', '"a long replacement"'), {
  maxLength: 4,
});
const places = fc.array(fc.nat({ max: 500 }), { maxLength: 8 });

/** Small frames are joined as strings, large ones stay Buffers: this takes a text beyond the border (16 KiB). */
const sizes = fc.constantFrom('', 'x'.repeat(16_500));

describe('splice', () => {
  test('replaces the spans and nothing else, in frames of one piece and of many, small and large', () => {
    fc.assert(
      fc.property(jsonTexts, sizes, cuts, places, replacements, (json, padding, pieces, where, texts) => {
        const text = Buffer.from(` [${json},"${padding}"] `);
        const frame = frameOf(padding === '' ? cut(text, pieces) : cut(text, [10, 11, 200]));
        const { start, end } = frame.outline;
        const edits = editsAt(where, texts, frame.outline);
        const result = frame.splice(edits);
        const value = oneLine(text.toString('latin1', start, end));
        const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
        expect(latin1(result)).toBe(spliced(value, moved));
        expect(byteLength(result)).toBe(spliced(value, moved).length);
        expect(latin1(frame.bytes())).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  test('touches no byte of what stands before and behind the frame in its chunk', () => {
    fc.assert(
      fc.property(
        nearlyJson,
        jsonTexts,
        sizes,
        nearlyJson,
        places,
        replacements,
        (before, json, padding, after, where, texts) => {
          const text = Buffer.from(`[${json},"${padding}"]`);
          const frame = frameWithin(before, text, after);
          const edits = editsAt(where, texts, frame.outline);
          const moved = edits.map((edit) => ({
            ...edit,
            start: edit.start - before.length,
            end: edit.end - before.length,
          }));
          const value = oneLine(text.toString('latin1'));
          expect(latin1(frame.splice(edits))).toBe(spliced(value, moved));
          expect(latin1(frame.bytes())).toBe(value);
          expect(frame.raw(frame.outline)).toBe(value);
          const chunk = frame.pieces[0]!.toString('latin1');
          expect(chunk.slice(0, before.length)).toBe(before.toString('latin1'));
          expect(chunk.slice(before.length + text.length)).toBe(after.toString('latin1'));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('joined or not, a frame gives the same', () => {
    fc.assert(
      fc.property(jsonTexts, cuts, places, replacements, (json, pieces, where, texts) => {
        const frame = frameOf(cut(Buffer.from(json), pieces));
        const edits = editsAt(where, texts, frame.outline);
        const before = latin1(frame.splice(edits));
        const { start, end } = frame.outline;
        expect(frame.text.toString('utf8', start, end)).toBe(oneLine(json).trim());
        expect(latin1(frame.splice(edits))).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  test('copies no byte of a large frame', () => {
    const frame = frameOf(cut(Buffer.from(`{"id":1,"a":"${'x'.repeat(50_000)}"}`), [3, 20_000]));
    const parts = frame.splice([{ start: 6, end: 7, text: '22' }]) as readonly Buffer[];
    const memory = frame.pieces[0]!.buffer;
    expect(parts.map((part) => [part.buffer === memory, part.length])).toEqual([
      [true, 3],
      [true, 3],
      [false, 2],
      [true, 19_993],
      [true, 30_015],
    ]);
    expect(frame.pieces).toHaveLength(3);
  });
});

describe('a frame is on one line', () => {
  test('which is the text that came, with spaces for its line breaks, and the same value', () => {
    fc.assert(
      fc.property(jsonTexts, sizes, cuts, (json, padding, places) => {
        const text = `\n[\r\n${json},"${padding}"\n]\r`;
        const frame = frameOf(cut(Buffer.from(text), padding === '' ? places : [0, 1, 2, 3, 4, 5, 300]));
        const line = toBuffer(frame.bytes()).toString();
        expect(line).toBe(oneLine(text).trim());
        expect(JSON.parse(line)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('though others have one of its pieces too, as those of events have what joins their lines', () => {
    const joint = Buffer.from('\r');
    for (const [before, after] of [
      ['[1,', '2]'],
      ['{"a":', '1}'],
    ] as const) {
      const frame = frameOf([Buffer.from(before), joint, Buffer.from(after)]);
      expect(latin1(frame.bytes())).toBe(`${before} ${after}`);
    }
    expect(joint.toString()).toBe('\r');
  });
});

test('the text of a frame in one piece is that piece itself', () => {
  const text = Buffer.from('{"id":1}');
  expect(Frame.of(text).text).toBe(text);
});

describe('parts of a frame', () => {
  test('are read without joining the pieces, wherever those end', () => {
    fc.assert(
      fc.property(jsonTexts, cuts, fc.nat(), fc.nat(), (json, places, a, b) => {
        const text = Buffer.from(json);
        const frame = frameOf(cut(text, places));
        const count = frame.pieces.length;
        const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((one, other) => one - other) as [
          number,
          number,
        ];
        const { text: joined } = frameOf([Buffer.from(json)]);
        expect(frame.raw({ start, end })).toBe(joined.toString('latin1', start, end));
        expect(frame.byteAt(start)).toBe(joined[start]);
        expect(frame.byteAt(joined.length)).toBeUndefined();
        expect(frame.pieces).toHaveLength(count);
      }),
      { numRuns: 300 },
    );
  });
});

test('an object and one in it, asked for by turns, are scanned once; others are read right', () => {
  const frame = Frame.of(Buffer.from('{"a":{"b":{"x":1},"c":{"y":2}}}'));
  const [a] = frame.outline.members;
  const members = frame.membersOf(a!);
  const [b, c] = members;
  const inB = frame.membersOf(b!);
  expect(frame.membersOf(a!)).toBe(members);
  expect(frame.membersOf(b!)).toBe(inB);
  expect(frame.membersOf(c!).map(({ key }) => key)).toEqual(['y']);
  expect(frame.membersOf(a!).map(({ key }) => key)).toEqual(['b', 'c']);
  expect(frame.membersOf(b!).map(({ key }) => key)).toEqual(['x']);
});

describe('work', () => {
  /** How often pieces are looked at in a response with so many members, in as many pieces. */
  function looks(member: string, count: number, use: (frame: Frame) => void): number {
    const pieces = [
      Buffer.from('{"id":1,"result":{}'),
      ...Array.from({ length: count }, () => Buffer.from(member)),
      Buffer.from('}'),
    ];
    const scanner = new JsonScanner();
    for (const piece of pieces) scanner.push(piece);
    let looked = 0;
    const counted = new Proxy(pieces, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    use(new Frame(counted, scanner.finish()));
    return looked;
  }

  test.each([
    ['a message is told from others', ',"jsonrpc":"2.0"', (frame: Frame) => void readMessage(frame)],
    [
      'each id is replaced',
      ',"id":1',
      (frame: Frame) => {
        const spans = frame.outline.members.filter(({ key }) => key === 'id');
        frame.splice(spans.map(({ start, end }) => ({ start, end, text: '2' })));
      },
    ],
  ])('%s in time that doubles when members and pieces double', (_what, member, use) => {
    const few = looks(member, 500, use);
    expect(looks(member, 1_000, use)).toBeLessThan(3 * few);
  });
});
