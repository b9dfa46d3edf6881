import { describe, expect, test } from 'vitest';
import { LinkErrors } from '../../../../src/upstream/faults/link-errors.ts';
import { errorIn, sampleOf, sampleOfLine } from '../../../../src/upstream/faults/samples.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import type { LostLine } from '../../../../src/wire/lines/frame-receiver.ts';

const frameOf = (json: string) => Frame.of(Buffer.from(json));
const namesOf = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'secret'])));

describe('the sample of an invalid message', () => {
  test('has its names and none of its values', () => {
    expect(sampleOf(frameOf('{"a":"secret","b":{"c":1}}'))).toBe('{"a", "b"}');
  });

  test('has eight names at most, and says that there are more', () => {
    expect(sampleOf(frameOf(namesOf(8)))).toBe('{"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"}');
    expect(sampleOf(frameOf(namesOf(9)))).toBe('{"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", …}');
  });

  test('says of what type it is where it is no object', () => {
    expect(sampleOf(frameOf('"secret"'))).toBe('JSON, but no object: string');
  });
});

describe('the sample of a line that is no message', () => {
  const lineOf = (text: string) => ({ head: Buffer.from(text), bytes: 500 }) as LostLine;

  test('is its beginning, for it may be a word of the program', () => {
    expect(sampleOfLine(lineOf('listening on 8080'))).toBe('listening on 8080');
  });

  test.each(['{"jsonrpc":"2.0","secr', '{"result":"secr', '{"params":{"secr'])(
    'has no values of a message: %s',
    (text) => {
      expect(sampleOfLine(lineOf(text))).toBe('a broken message of 500 bytes');
    },
  );
});

test.each([
  ['{"code":-5,"message":"no"}', { code: '-5', message: 'no' }],
  ['{"data":1}', { code: '', message: '' }],
  ['"no"', { code: '', message: '' }],
  [
    `{"code":${'1'.repeat(50)},"message":"${'m'.repeat(1_000)}"}`,
    { code: expect.any(String), message: expect.any(String) },
  ],
])('the error of a peer is repeated with its code and message, cut: %#', (error, expected) => {
  const frame = frameOf(`{"error":${error}}`);
  const found = errorIn(frame, frame.outline.members[0]!);
  expect(found).toEqual(expected);
  expect([found.code.length <= 20, found.message.length <= 300]).toEqual([true, true]);
});

describe('the error of a request', () => {
  const errors = new LinkErrors('up');

  test('whose connection has ended names a time only where there is one', () => {
    expect(errors.gone({ reason: 'gone', retryAfterMs: 0 }, 'none').detail).toEqual({
      upstream: 'up',
      effect: 'none',
      retryAfterMs: 0,
    });
    expect(errors.gone({ reason: 'gone' }, 'unknown').detail).toEqual({ upstream: 'up', effect: 'unknown' });
  });

  test('whose answer is lost says why, where that is known', () => {
    const lost = (line: Partial<LostLine>) => errors.lostAnswer({ bytes: 2 * 1024 * 1024, ...line } as LostLine);
    expect(lost({ reason: 'not-json' }).message).toBe('up: the answer is not valid JSON');
    expect(lost({ reason: 'not-json', problem: 'depth' }).message).toBe('up: the answer is not valid JSON (depth)');
    expect(lost({ reason: 'too-large' })).toMatchObject({
      code: 'ANSWER_TOO_LARGE',
      message: 'up: the answer is too large (2.0 MiB). Ask for less, or raise limits.frameBytes in the config',
    });
  });
});
