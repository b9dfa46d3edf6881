import { expect, test } from 'vitest';
import { HeldFrames } from '../../../../src/upstream/transports/held-frames.ts';
import type { Bytes } from '../../../../src/wire/bytes.ts';

test('messages are counted in bytes while they are held, and leave in order', () => {
  const held = new HeldFrames<Bytes>();
  held.add('abc');
  held.add([Buffer.from('de'), Buffer.from('f')]);
  expect(held.bytes).toBe(6);
  expect(held.take()).toEqual(['abc', [Buffer.from('de'), Buffer.from('f')]]);
  expect(held.bytes).toBe(0);
  expect(held.take()).toEqual([]);
});

test('a Buffer is one message', () => {
  const held = new HeldFrames<Buffer>();
  held.add(Buffer.from('abc'));
  expect(held.bytes).toBe(3);
});
