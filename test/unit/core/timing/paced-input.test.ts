import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PacedInput } from '../../../../src/core/timing/paced-input.ts';

/** Works so long on each byte, and stops at the deadline. */
function slowReader(msPerByte: number) {
  const seen: string[] = [];
  const consume = (chunk: Buffer, deadline: number): number => {
    for (let at = 0; at < chunk.length; at++) {
      if (at > 0 && performance.now() >= deadline) return at;
      const end = performance.now() + msPerByte;
      while (performance.now() < end);
      seen.push(String.fromCharCode(chunk[at]!));
    }
    return chunk.length;
  };
  let hasEnded = false;
  const consumer = {
    consume,
    onEnd: () => {
      hasEnded = true;
    },
  };
  return { seen, consumer, hasEnded: () => hasEnded };
}

test('everything arrives once and in order, however often a turn ends in the middle', async () => {
  const stream = new PassThrough();
  const { seen, consumer, hasEnded } = slowReader(0.3);
  new PacedInput(stream, consumer);
  const sent = Array.from({ length: 20 }, (_, index) => `<${index}>`);
  for (const text of sent) stream.write(text);
  stream.end();
  await expect.poll(hasEnded).toBe(true);
  expect(seen.join('')).toBe(sent.join(''));
});

test('a flood leaves others their turns', async () => {
  const stream = new PassThrough();
  const { seen, consumer } = slowReader(0.5);
  new PacedInput(stream, consumer);
  stream.write('x'.repeat(100));
  await turn();
  await turn();
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.length).toBeLessThan(50);
});

test('nothing is read while it is held', async () => {
  const stream = new PassThrough();
  const { seen, consumer } = slowReader(0);
  const input = new PacedInput(stream, consumer);
  input.hold();
  stream.write('abc');
  await turn();
  expect(seen).toEqual([]);
  input.release();
  await expect.poll(() => seen.join('')).toBe('abc');
});

test('held in the middle of a turn, it goes on where it was', async () => {
  const stream = new PassThrough();
  const { seen, consumer } = slowReader(0.5);
  const input = new PacedInput(stream, consumer);
  stream.write('0123456789'.repeat(3));
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  input.hold();
  await turn();
  const before = seen.length;
  await turn();
  expect(seen.length).toBe(before);
  input.release();
  await expect.poll(() => seen.join('')).toBe('0123456789'.repeat(3));
});

test('work that nobody asked for gets a share of the time', async () => {
  const stream = new PassThrough();
  let worked = 0;
  const start = performance.now();
  const ended = new Promise<void>((resolve) => {
    const consume = (chunk: Buffer) => {
      const begin = performance.now();
      while (performance.now() - begin < 20);
      worked += performance.now() - begin;
      return chunk.length;
    };
    new PacedInput(stream, { consume, onEnd: resolve }, { share: () => 0.1 });
  });
  for (let chunk = 0; chunk < 25; chunk++) stream.write('x');
  stream.end();
  await ended;
  // 200 ms of credit; the other 300 ms of work take ten times as long.
  expect(performance.now() - start).toBeGreaterThan(worked + 500);
});
