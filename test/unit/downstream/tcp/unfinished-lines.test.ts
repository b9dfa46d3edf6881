import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { UnfinishedLines } from '../../../../src/downstream/tcp/unfinished-lines.ts';

const MIB = 1024 * 1024;
const [LATER, MS] = [10_000, 5_000];

function watching(maxLineMib = 40) {
  const lines = new UnfinishedLines(() => maxLineMib * MIB);
  const refused: string[] = [];
  const connect = (name: string) => {
    const socket = new PassThrough({ highWaterMark: 1_000 * MIB });
    lines.watch(socket as unknown as Socket, () => void refused.push(name));
    const send = async (text: string | Buffer) => {
      socket.write(text);
      await expect.poll(() => socket.readableLength).toBe(0);
    };
    return { socket, send };
  };
  const late = () => lines.overdue(performance.now() + LATER, MS);
  return { lines, refused, connect, late };
}

const mib = (count: number) => Buffer.alloc(count * MIB, 'x');

test('lines that are begun have 64 MiB together, and who goes beyond is told once', async () => {
  const { refused, connect } = watching();
  const [one, two, three] = [connect('one'), connect('two'), connect('three')];
  await one.send(mib(40));
  await two.send(mib(24));
  expect(refused).toEqual([]);
  await two.send('x');
  await two.send('x');
  expect(refused).toEqual(['two']);
  await three.send(mib(24));
  expect(refused).toEqual(['two']);
});

test('room comes back with the end of a line, and with that of a connection', async () => {
  const { refused, connect } = watching();
  const [one, two, three] = [connect('one'), connect('two'), connect('three')];
  await one.send(mib(40));
  await one.send('\n');
  await two.send(mib(40));
  expect(refused).toEqual([]);
  const closed = once(two.socket, 'close');
  two.socket.destroy();
  await closed;
  await three.send(mib(40));
  expect(refused).toEqual([]);
});

test('a single line may always have its limit, and no more of it is counted', async () => {
  const { refused, connect } = watching(100);
  const one = connect('one');
  await one.send(mib(100));
  await one.send(mib(100));
  expect(refused).toEqual([]);
});

test('a line is late if it does not end, not if it ends or nothing was begun', async () => {
  const { connect, late } = watching();
  const [begun, ended, silent] = [connect('begun'), connect('ended'), connect('silent')];
  await begun.send('{');
  await ended.send('{}\n');
  expect(late()).toEqual([begun.socket]);
  await begun.send('}\n');
  expect(late()).toEqual([]);
  expect(silent.socket.destroyed).toBe(false);
});

test('the time in which a connection is not read does not count', async () => {
  const { lines, connect } = watching();
  const { socket, send } = connect('one');
  await send('{');
  const now = performance.now();
  socket.pause();
  expect(lines.overdue(now + LATER, MS)).toEqual([]);
  socket.resume();
  expect(lines.overdue(now + LATER + 1, MS)).toEqual([]);
  expect(lines.overdue(now + LATER + MS + 2, MS)).toEqual([socket]);
});
