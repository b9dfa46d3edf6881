import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Bytes } from '../../../../src/wire/bytes.ts';
import { FrameWriter } from '../../../../src/wire/output/frame-writer.ts';

/** What a stream was given, one entry a write. */
function written(stream: PassThrough): string[] {
  const chunks: string[] = [];
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push((chunk as Buffer).toString());
  return chunks;
}

/** Keeps writes apart; an ordinary PassThrough joins chunks that have not been read yet. */
class Writes extends PassThrough {
  readonly list: string[] = [];

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.list.push(chunk.toString());
    super._write(chunk, encoding, callback);
  }
}

const large = (...parts: string[]): Bytes => parts.map((part) => Buffer.from(part));

/** Resolves when the frames of this turn have left. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('small frames', () => {
  test('of one turn leave in one write, the next turn in another', async () => {
    const stream = new Writes();
    const writer = new FrameWriter(stream);
    for (const frame of ['1', '{"a":2}', '3']) writer.write(frame);
    expect(stream.list).toEqual([]);
    await turn();
    expect(stream.list).toEqual(['1\n{"a":2}\n3\n']);
    writer.write('4');
    await turn();
    expect(stream.list).toEqual(['1\n{"a":2}\n3\n', '4\n']);
  });

  test('are bytes, one character each', async () => {
    const stream = new PassThrough();
    new FrameWriter(stream).write('"\xc3\xa9\xff"');
    await turn();
    expect(stream.read()).toEqual(Buffer.from([0x22, 0xc3, 0xa9, 0xff, 0x22, 0x0a]));
  });

  test('leave at once when asked, and not twice', async () => {
    const stream = new PassThrough();
    const writer = new FrameWriter(stream);
    writer.write('1');
    writer.flush();
    writer.flush();
    await turn();
    expect(written(stream)).toEqual(['1\n']);
  });
});

describe('a frame is one line', () => {
  test.each([
    ['line breaks, which become spaces', '{"a":\n1,\r\n"b":\r2}', '{"a": 1,  "b": 2}'],
    ['line separators, which lines in MCP may have', '{"a\u2028":"\u2029\u0085"}', '{"a\u2028":"\u2029\u0085"}'],
  ])('though it has %s', async (_what, frame, line) => {
    const bytes = Buffer.from(frame);
    const stream = new PassThrough();
    const writer = new FrameWriter(stream);
    writer.write(bytes.toString('latin1'));
    writer.write([bytes]);
    for (let at = 1; at < bytes.length; at++) writer.write([bytes.subarray(0, at), bytes.subarray(at)]);
    await turn();
    stream.end();
    const lines = Buffer.concat(await stream.toArray()).toString();
    expect(lines).toBe(`${line}\n`.repeat(bytes.length + 1));
  });
});

describe('order', () => {
  test('is kept between small and large frames', async () => {
    const stream = new Writes();
    const writer = new FrameWriter(stream);
    writer.write('1');
    writer.write('2');
    writer.write(large('[', '3', ']'));
    writer.write('4');
    writer.write(large('5'));
    writer.write('6');
    await turn();
    expect(stream.list.join('')).toBe('1\n2\n[3]\n4\n5\n6\n');
  });

  test('holds on a socket whose reader is slow, for frames larger than its buffers', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as { port: number }).port, '127.0.0.1');
    const [reader] = (await once(server, 'connection')) as [Socket];
    reader.pause();
    const writer = new FrameWriter(client);
    const frames = Array.from(
      { length: 60 },
      (_, index) => `{"n":${index},"x":"${'é'.repeat(index % 3 === 0 ? 60_000 : 3)}"}`,
    );
    for (const [index, frame] of frames.entries()) {
      const bytes = Buffer.from(frame);
      writer.write(index % 3 === 0 ? [bytes.subarray(0, 40_001), bytes.subarray(40_001)] : bytes.toString('latin1'));
    }
    expect(writer.queuedBytes).toBeGreaterThan(1_000_000);
    writer.flush();
    client.end();
    const chunks: Buffer[] = [];
    for await (const chunk of reader) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(`${frames.join('\n')}\n`);
    expect(writer.queuedBytes).toBe(0);
    server.close();
  });
});

describe('queuedBytes', () => {
  test('counts what waits here and what the stream holds', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const writer = new FrameWriter(stream);
    writer.write('1234567');
    expect(writer.queuedBytes).toBe(8);
    await turn();
    writer.write(large('12345678'));
    writer.write('1');
    const queued = writer.queuedBytes;
    expect(queued).toBeGreaterThanOrEqual(9 + 2);
    stream.resume();
    await once(stream, 'drain');
    await turn();
    expect(writer.queuedBytes).toBe(0);
  });
});

describe('a stream that is over', () => {
  test.each([
    ['destroyed', (stream: PassThrough) => stream.destroy()],
    ['ended', (stream: PassThrough) => stream.end()],
  ])('%s: frames are dropped without an error', async (_name, finish) => {
    const stream = new PassThrough();
    let failed: Error | undefined;
    stream.on('error', (error) => {
      failed = error;
    });
    const writer = new FrameWriter(stream);
    writer.write('1');
    finish(stream);
    writer.write('2');
    writer.write(large('3'));
    await turn();
    expect(failed).toBeUndefined();
  });
});
