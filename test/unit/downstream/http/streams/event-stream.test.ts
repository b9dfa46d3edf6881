import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Backlog } from '../../../../../src/downstream/http/streams/backlog.ts';
import { EventStream } from '../../../../../src/downstream/http/streams/event-stream.ts';
import { UnreadBudget } from '../../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';

interface Listening {
  readonly outgoing: ClientRequest;
  /** The messages that came. */
  readonly messages: () => string[];
  readonly text: () => string;
  readonly isEnded: () => boolean;
}

/** A stream behind a real server, on which each GET listens. */
async function open() {
  const stream = new EventStream('s', new Backlog(new UnreadBudget(createLog({ level: 'silent' }))));
  const server = createServer((_request, response) => stream.attachBeside(response, {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const listen = async (): Promise<Listening> => {
    const outgoing = request({ port, host: '127.0.0.1', agent: false }).end();
    outgoing.on('error', () => undefined);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    let isEnded = false;
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => (isEnded = true)).on('error', () => undefined);
    const messages = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!);
    return { outgoing, messages, text: () => text, isEnded: () => isEnded };
  };
  return { stream, listen };
}

test('a client may listen on several connections: each message goes to the newest, none is ended', async () => {
  const { stream, listen } = await open();
  stream.send('0');
  const first = await listen();
  await expect.poll(first.messages).toEqual(['0']);
  const second = await listen();
  stream.send('1');
  await expect.poll(second.messages).toEqual(['1']);
  stream.keepAlive();
  await expect.poll(first.text).toContain(': still working');
  expect([first.messages(), first.isEnded(), second.isEnded()]).toEqual([['0'], false, false]);
});

test('where the newest connection ends, the one before it is told what comes from then on', async () => {
  const { stream, listen } = await open();
  const [first, second] = [await listen(), await listen()];
  second.outgoing.destroy();
  await expect
    .poll(() => {
      stream.send('1');
      return first.messages().length;
    })
    .toBeGreaterThan(0);
  expect(stream.isAttached).toBe(true);
  stream.finish();
  await expect.poll(first.isEnded).toBe(true);
});

test('of many connections the oldest are ended, and all with the stream', async () => {
  const { stream, listen } = await open();
  const all: Listening[] = [];
  for (let count = 0; count < 6; count++) all.push(await listen());
  await expect.poll(() => all.map(({ isEnded }) => isEnded())).toEqual([true, true, false, false, false, false]);
  stream.finish();
  await expect.poll(() => all.every(({ isEnded }) => isEnded())).toBe(true);
  expect(stream.isAttached).toBe(false);
});
