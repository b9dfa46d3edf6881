import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CdpConnection } from '../../../../src/browser/cdp/cdp-connection.ts';
import { pipeWire } from '../../../../src/browser/cdp/pipe-wire.ts';
import { MAX_MESSAGE_BYTES } from '../../../../src/browser/cdp/wire.ts';

function open() {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const connection = new CdpConnection(pipeWire(toBrowser, fromBrowser));
  return { connection, toBrowser, fromBrowser };
}

describe('a browser at the other end of a pipe', () => {
  test('gets commands, and its answers and events come in any pieces', async () => {
    const { connection, toBrowser, fromBrowser } = open();
    const product = connection.root.send('Browser.getVersion').then((version) => version.product);
    expect(String(toBrowser.read())).toBe('{"id":1,"method":"Browser.getVersion","params":{}}\0');
    const seen: string[] = [];
    connection.root.on('Target.targetDestroyed', ({ targetId }) => seen.push(targetId));
    const bytes = Buffer.from(
      '{"method":"Target.targetDestroyed","params":{"targetId":"ä"}}\0{"id":1,"result":{"product":"Chrome/1"}}\0',
    );
    for (const byte of bytes) fromBrowser.write(Buffer.from([byte]));
    expect(await product).toBe('Chrome/1');
    expect(seen).toEqual(['ä']);
  });

  test('sends too much: that command fails, that event is left out, and everything else goes on', async () => {
    const { connection, fromBrowser } = open();
    const large = connection.root.send('Browser.getVersion');
    const next = connection.root.send('Browser.getVersion');
    const filling = Buffer.alloc(MAX_MESSAGE_BYTES, 'x');
    for (const beginning of ['{"method":"Runtime.consoleAPICalled","params":"', '{"id":1,"result":"']) {
      fromBrowser.write(beginning);
      fromBrowser.write(filling);
      fromBrowser.write('"}\0');
    }
    fromBrowser.write('{"id":2,"result":{"product":"Chrome/2"}}\0');
    await expect(large).rejects.toMatchObject({ message: 'the answer is too large', isGone: false });
    expect((await next).product).toBe('Chrome/2');
  });

  test.each([
    ['ends', (stream: PassThrough) => stream.destroy(), 'the browser has ended'],
    ['writes no JSON', (stream: PassThrough) => stream.write('nonsense\0'), 'not a message of the DevTools protocol'],
  ])('%s: all commands fail with the reason', async (_, act, reason) => {
    const { connection, fromBrowser } = open();
    const answer = connection.root.send('Browser.getVersion');
    act(fromBrowser);
    await expect(answer).rejects.toMatchObject({ isGone: true, message: expect.stringContaining(reason) });
    expect(connection.ended.aborted).toBe(true);
    await expect(connection.root.send('Browser.getVersion')).rejects.toMatchObject({ isGone: true });
  });
});

test('a target that goes ends its session and its commands only', async () => {
  const { connection, fromBrowser } = open();
  const say = (message: object) => fromBrowser.write(`${JSON.stringify(message)}\0`);
  const attached = new Promise((resolve) => connection.root.on('Target.attachedToTarget', resolve));
  say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo: {}, waitingForDebugger: false } });
  await attached;
  const session = connection.session('S');
  const [inTarget, inBrowser] = [session.send('Page.enable'), connection.root.send('Browser.getVersion')];
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'S' } });
  await expect(inTarget).rejects.toMatchObject({ isGone: true, message: 'the page has gone' });
  expect(session.ended.aborted).toBe(true);
  expect(() => connection.session('S')).toThrow('the page has gone');
  say({ id: 2, result: { product: 'Chrome/3' } });
  expect((await inBrowser).product).toBe('Chrome/3');
});

describe('a browser that sends what no browser sends', () => {
  const ATTACHED = { method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo: {} } };

  /** A connection with one target, whose listeners expect what the protocol says. */
  async function attached() {
    const { connection, fromBrowser } = open();
    const say = (message: object) => fromBrowser.write(`${JSON.stringify(message)}\0`);
    const come = new Promise((resolve) => connection.root.on('Target.attachedToTarget', resolve));
    say(ATTACHED);
    await come;
    return { connection, say, session: connection.session('S') };
  }

  test('an event without a listener does nothing, whatever its name is', async () => {
    const { connection, say } = await attached();
    const version = connection.root.send('Browser.getVersion');
    for (const sessionId of [undefined, 'S']) say({ method: 'error', params: {}, sessionId });
    say({ id: 1, result: { product: 'Chrome/4' } });
    expect((await version).product).toBe('Chrome/4');
  });

  test.each([
    ['at once', (event: { url: string }) => event.url.length],
    ['later', async (event: { url: string }) => event.url.length],
  ])('an event that its listener cannot use ends the target alone: %s', async (_, listener) => {
    const { connection, say, session } = await attached();
    session.on('Network.webSocketCreated', listener);
    const waiting = session.send('Page.enable');
    say({ method: 'Network.webSocketCreated', sessionId: 'S' });
    await expect(waiting).rejects.toMatchObject({
      isGone: true,
      message: expect.stringMatching(/^the browser sent an event that cannot be used \(/),
    });
    expect(session.ended.aborted).toBe(true);
    expect(connection.ended.aborted).toBe(false);
  });

  test('an event of the browser itself that its listener cannot use ends the connection', async () => {
    const { connection, say } = await attached();
    connection.root.on('Target.targetCreated', ({ targetInfo }) => targetInfo.type);
    const waiting = connection.root.send('Browser.getVersion');
    say({ method: 'Target.targetCreated' });
    await expect(waiting).rejects.toMatchObject({ isGone: true });
    expect(connection.ended.aborted).toBe(true);
  });

  test.each([null, 'no', {}, { message: { toString: 1 } }])('an error of another shape is one: %j', async (error) => {
    const { connection, say } = await attached();
    const answer = connection.root.send('Browser.getVersion');
    say({ id: 1, error });
    await expect(answer).rejects.toMatchObject({ message: 'it gave no reason', isGone: false });
  });
});
