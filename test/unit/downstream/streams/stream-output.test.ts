import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamOutput } from '../../../../src/downstream/streams/stream-output.ts';
import type { Reader } from '../../../../src/downstream/unread/unread-budget.ts';

const MIB = 1024 * 1024;

/** An output whose reader takes a write when the test says so. */
function setup(stream: Writable) {
  const events: string[] = [];
  const unread = {
    onWritten: (reader: Reader) => events.push(`written ${reader.queuedBytes > 4 * MIB}`),
    onTaken: () => events.push('taken'),
    whenRoom: (owner: string) => void events.push(`room for ${owner}`),
  };
  const output = new StreamOutput({
    stream,
    unread: unread as never,
    onCrowded: (isCrowded) => events.push(`crowded ${isCrowded}`),
    onStalled: () => events.push('stalled'),
  });
  return { output, events };
}

/** A stream that takes nothing until `take` is called. */
function held() {
  const waiting: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
  return { stream, take: () => waiting.shift()?.() };
}

const large = [Buffer.alloc(5 * MIB, 'x')];

test('a client that is far behind is held, gets nothing that it can do without, and is released when it has caught up', async () => {
  const { stream, take } = held();
  const { output, events } = setup(stream);
  output.send('{"first":1}');
  output.send(large);
  expect(events).toEqual(['written true', 'crowded true']);
  const { queuedBytes } = output;
  output.sendUnlessCrowded('{"progress":1}');
  output.exchange.sendIfRoom('{"progress":1}');
  expect(output.queuedBytes).toBe(queuedBytes);
  output.exchange.reply('{"answer":1}');
  expect(output.queuedBytes).toBeGreaterThan(queuedBytes);
  await expect
    .poll(() => {
      take();
      return output.queuedBytes;
    })
    .toBe(0);
  expect(events.at(-1)).toBe('crowded false');
  expect(output.takenBytes).toBeGreaterThan(5 * MIB);
});

test('small answers are not looked at', () => {
  const { output, events } = setup(held().stream);
  for (let count = 0; count < 10; count++) output.send('{"small":1}');
  expect(events).toEqual([]);
});

test('room is asked for in its own name, and one that takes nothing is cut off', () => {
  const stream = new PassThrough();
  const { output, events } = setup(stream);
  void output.exchange.whenRoom?.();
  output.cut();
  expect([events, stream.destroyed]).toEqual([[`room for ${output.owner}`, 'stalled'], true]);
  expect(setup(stream).output.owner).not.toBe(output.owner);
});
