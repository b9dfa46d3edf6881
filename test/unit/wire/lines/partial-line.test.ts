import { describe, expect, test } from 'vitest';
import type { LostLine } from '../../../../src/wire/lines/frame-receiver.ts';
import { PartialLine } from '../../../../src/wire/lines/partial-line.ts';
import { scannerForPeer } from '../../../../src/wire/scanning/scanner.ts';

function line(maxBytes = 1_000) {
  const frames: string[] = [];
  const lost: LostLine[] = [];
  const receiver = {
    onFrame: (frame: { readonly text: Buffer }) => void frames.push(String(frame.text)),
    onLostLine: (one: LostLine) => void lost.push(one),
  };
  const made = new PartialLine(receiver, () => maxBytes, scannerForPeer());
  return { line: made, frames, lost, append: (text: string) => made.append(Buffer.from(text)) };
}

describe('a line in pieces', () => {
  test('becomes a frame, and the next line begins anew', () => {
    const { line: made, frames, lost, append } = line();
    for (const text of ['{"a":1}', '{"b":2}']) {
      append(text.slice(0, 3));
      expect(made.isEmpty).toBe(false);
      expect(made.isInside).toBe(true);
      append(text.slice(3));
      made.end(false);
      expect(made.isEmpty).toBe(true);
    }
    expect(frames).toEqual(['{"a":1}', '{"b":2}']);
    expect(lost).toEqual([]);
  });

  test('that is no JSON is lost with its head, its problem and its length; the next one is not', () => {
    const { line: made, frames, lost, append } = line();
    append('{"a"');
    append('!}');
    append(' more');
    expect(made.isInside).toBe(false);
    made.end(false);
    append('[1]');
    made.end(false);
    expect(lost.map(({ head, ...rest }) => ({ head: String(head), ...rest }))).toMatchObject([
      { head: '{"a"!} more', reason: 'not-json', problem: 'expected ":" at byte 4', bytes: 11, isCutOff: false },
    ]);
    expect(frames).toEqual(['[1]']);
  });

  test('that ends early is lost, and tells when the stream was cut off', () => {
    const { line: made, lost, append } = line();
    append('{"a":');
    made.end(true);
    expect(lost).toMatchObject([{ reason: 'not-json', problem: 'text ends early at byte 5', isCutOff: true }]);
  });

  test('over the limit is too large, JSON or not', () => {
    const { line: made, lost, append } = line(6);
    append('[1,2,3');
    append(',4]');
    made.end(false);
    append('no');
    append(' JSON at all');
    made.end(false);
    expect(lost.map(({ reason, bytes }) => [reason, bytes])).toEqual([
      ['too-large', 9],
      ['too-large', 14],
    ]);
  });

  test('that is blank is not reported, and one that was cleared is forgotten', () => {
    const { line: made, frames, lost, append } = line();
    append(' \t');
    made.end(false);
    append('{"a":');
    made.clear();
    append('{}');
    made.end(false);
    expect(frames).toEqual(['{}']);
    expect(lost).toEqual([]);
  });
});
