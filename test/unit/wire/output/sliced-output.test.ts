import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SlicedOutput } from '../../../../src/wire/output/sliced-output.ts';

const MIB = 1024 * 1024;

/** A socket whose other end reads only what it is told to. */
async function slowReader() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const writer = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [reader] = (await once(server, 'connection')) as [Socket];
  reader.pause();
  return { writer, reader, close: () => server.close() };
}

async function readAll(reader: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of reader) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('what a slow reader takes of one large message is counted while it takes it, and all of it arrives in order', async () => {
  const { writer, reader, close } = await slowReader();
  const taken: number[] = [];
  const output = new SlicedOutput(writer, () => taken.push(output.takenBytes));
  const message = Buffer.alloc(20 * MIB, 'abcdefgh');
  output.write([message]);
  output.write('end');
  output.end();
  expect(output.queuedBytes).toBe(message.length + 3);
  const arrived = await readAll(reader);
  expect(arrived.equals(Buffer.concat([message, Buffer.from('end')]))).toBe(true);
  expect(output.queuedBytes).toBe(0);
  // Seen in steps, not at the end only.
  expect(taken.filter((bytes) => bytes > 0 && bytes < message.length).length).toBeGreaterThan(1);
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  close();
});

test('the stream holds a small part of what waits', async () => {
  const { writer, reader, close } = await slowReader();
  const output = new SlicedOutput(writer);
  output.write([Buffer.alloc(30 * MIB)]);
  expect(writer.writableLength).toBeLessThanOrEqual(MIB);
  expect(output.queuedBytes).toBe(30 * MIB);
  writer.destroy();
  await once(writer, 'close');
  expect(output.queuedBytes).toBe(0);
  output.write([Buffer.alloc(MIB)]);
  expect(output.queuedBytes).toBe(0);
  reader.destroy();
  close();
});

test('handOver gives the stream everything, so that whoever ends it loses nothing', async () => {
  const { writer, reader, close } = await slowReader();
  const output = new SlicedOutput(writer);
  output.write([Buffer.alloc(5 * MIB, 'x')]);
  output.handOver();
  writer.end();
  expect((await readAll(reader)).length).toBe(5 * MIB);
  close();
});
