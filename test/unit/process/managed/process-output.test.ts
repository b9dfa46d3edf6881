import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ProcessOutput } from '../../../../src/process/managed/process-output.ts';

function outputOf(stream: PassThrough, { share = 0.9, busyMs = 0 }: { share?: number; busyMs?: number } = {}) {
  let isFirst = true;
  const onText = () => {
    const end = performance.now() + busyMs;
    while (isFirst && performance.now() < end);
    isFirst = false;
    return undefined;
  };
  return new ProcessOutput([stream], { capacity: 1_024, share: () => share, onText });
}

test('what waits because reading has taken too much of the time is read all the same before it is over', async () => {
  const stream = new PassThrough();
  // So long that all credit is used up, and reading goes on only after half a second.
  const output = outputOf(stream, { share: 0.1, busyMs: 250 });
  stream.write('first');
  await new Promise(setImmediate);
  stream.write(', last');
  await output.finish();
  expect(output.read().text).toBe('first, last');
});

test.each([
  ['now and then', 50, 1],
  ['without end', 0, 65_536],
])(
  'a stranger who has got hold of the pipe and writes %s does not keep it from being over',
  async (_, everyMs, bytes) => {
    const stream = new PassThrough();
    const writing = setInterval(() => stream.write(Buffer.alloc(bytes, 'y')), everyMs);
    stream.on('close', () => clearInterval(writing));
    await outputOf(stream).finish();
    expect(stream.destroyed).toBe(true);
  },
  30_000,
);
