import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Opening, readOpening } from '../../../../src/downstream/tcp/opening.ts';
import { bufferBytes } from '../../../support/garbage.ts';

const MIB = 1024 * 1024;

function reading(maxBytes: number) {
  const socket = new PassThrough();
  const openings: Opening[] = [];
  const giveUp = readOpening(socket as unknown as Socket, maxBytes, (opening) => void openings.push(opening));
  return { socket, openings, giveUp };
}

test.each([
  ['{}\n', 'line'],
  ['\u{feff} \r\n\t{"a":1}\nrest', 'line'],
  ['POST / HTTP/1.1\r\n', 'foreign'],
  ['[{}]\n', 'foreign'],
  [' '.repeat(4_097), 'foreign'],
  [`{${' '.repeat(1_000)}\n`, 'too-large'],
  [`{${' '.repeat(1_000)}`, 'too-large'],
])('%j is: %s', async (text, kind) => {
  const { socket, openings } = reading(1_000);
  socket.write(text);
  await expect.poll(() => openings.length).toBe(1);
  expect(openings[0]!.kind).toBe(kind);
  expect(socket.isPaused()).toBe(true);
});

test('the line comes back in front of what follows it, as it was changed', async () => {
  const { socket, openings } = reading(1_000);
  socket.write('{"a":1}\n{"b"');
  await expect.poll(() => openings.length).toBe(1);
  const opening = openings[0]!;
  if (opening.kind !== 'line') throw new Error('it is no line');
  expect(opening.line.toString()).toBe('{"a":1}');
  const input = opening.proceed(Buffer.from('{}'));
  socket.end(':2}\n');
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(piece as Buffer);
  expect(Buffer.concat(pieces).toString()).toBe('{}\n{"b":2}\n');
});

test('once it is given up, nothing that came is kept, nor anything that comes', async () => {
  const { socket, openings, giveUp } = reading(1_000 * MIB);
  const before = bufferBytes();
  const send = async (mib: number) => {
    for (let sent = 0; sent < mib; sent++) socket.write(Buffer.alloc(MIB, '{'));
    await expect.poll(() => socket.readableLength + socket.writableLength).toBe(0);
  };
  await send(32);
  expect(bufferBytes() - before).toBeGreaterThan(30 * MIB);
  giveUp();
  socket.resume();
  await send(32);
  await expect.poll(() => bufferBytes() - before, { timeout: 10_000 }).toBeLessThan(8 * MIB);
  expect(openings).toEqual([]);
});
