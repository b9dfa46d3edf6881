import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsOf, linesOf, PieceTooLong } from '../../../src/models/pieces.ts';

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

const texts = fc.array(
  fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify({ text })),
  { maxLength: 9 },
);

test('lines and events are the same, wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (values, size) => {
      const lines = Buffer.from(values.map((value) => `${value}\n`).join('\n'));
      expect(await all(linesOf(cut(lines, size)))).toEqual(values);
      const events = Buffer.from(values.map((value) => `: ping\nevent: x\ndata: ${value}\r\n\r\n`).join(''));
      expect(await all(eventsOf(cut(events, size)))).toEqual(values);
    }),
  );
});

test('what has no end behind it counts too', async () => {
  expect(await all(linesOf(cut(Buffer.from('{"a":1}\n{"b":2}'), 3)))).toEqual(['{"a":1}', '{"b":2}']);
  expect(await all(eventsOf(cut(Buffer.from('data: {"a":1}\n\ndata: [DONE]'), 3)))).toEqual(['{"a":1}', '[DONE]']);
});

test('a long line in very many parts is read', async () => {
  const parts = async function* () {
    yield Buffer.alloc(4_000_000, 'x');
    for (let at = 0; at < 100_000; at++) yield Buffer.from('y');
  };
  const [line] = (await all(linesOf(parts()))) as [string];
  expect(line).toHaveLength(4_100_000);
});

test.each([
  ['a line', linesOf, ''],
  ['an event', eventsOf, 'data: '],
] as const)('%s without an end is not kept for ever', async (_name, read, begin) => {
  const endless = async function* () {
    yield Buffer.from(begin);
    for (;;) yield Buffer.alloc(1024 ** 2, 'x');
  };
  await expect(all(read(endless()))).rejects.toThrow(PieceTooLong);
});
