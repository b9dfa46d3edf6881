import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../../src/core/errors.ts';
import { META } from '../../../../../src/era/modern/modern.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import type { ServerFacts } from '../../../../../src/upstream/connection/handshake.ts';
import { ListenStream } from '../../../../../src/upstream/events/subscriptions/listen-stream.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import type { NotificationMessage } from '../../../../../src/wire/message.ts';
import { linkTo } from '../../links.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const FACTS: ServerFacts = {
  era: 'modern',
  protocolVersion: '2026-07-28',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: {},
  instructions: undefined,
};

/** A stream to this test, which is the server. */
function open(capabilities: ServerFacts['capabilities'] = FACTS.capabilities) {
  const uris: string[] = [];
  const sent: string[] = [];
  const ids: number[] = [];
  const heard: string[] = [];
  let missed = 0;
  const note = (bytes: Parameters<typeof toBuffer>[0]) => {
    const { method, id, params } = JSON.parse(toBuffer(bytes).toString());
    if (method === 'subscriptions/listen') ids.push(id);
    const which = (of: number) => `#${ids.indexOf(of)}`;
    sent.push(
      method === 'subscriptions/listen'
        ? `listen ${which(id)} ${(params.notifications.resourceSubscriptions ?? []).join(' ')}`.trim()
        : `cancel ${which(params.requestId)}`,
    );
  };
  const stream = new ListenStream({
    log: createLog({ level: 'silent' }),
    wanted: () => ({ uris, taskIds: [] }),
    onMissed: () => missed++,
  });
  const onNotification = (message: NotificationMessage) => {
    const known = stream.take(message);
    if (known !== undefined) heard.push(known.frame.text.toString());
  };
  const link = linkTo({ send: note }, { onNotification });
  link.speakModern('"e":1');
  const hear = (value: object) =>
    link.receiver.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...value }))));
  const tell = (index: number, method: string, params: object = {}) =>
    hear({ method: `notifications/${method}`, params: { ...params, _meta: { [META.subscriptionId]: ids[index] } } });
  const acknowledge = (index: number) => tell(index, 'subscriptions/acknowledged');
  const want = (...wanted: string[]) => {
    uris.splice(0, uris.length, ...wanted);
    return stream.onWantedChanged();
  };
  const confirm = (uri: string) => {
    if (!uris.includes(uri)) uris.push(uri);
    return stream.confirm(uri, 10_000);
  };
  const attach = () => stream.attach(link, { ...FACTS, capabilities });
  attach();
  return {
    attach,
    confirm,
    stream,
    link,
    sent,
    ids,
    heard,
    hear,
    tell,
    acknowledge,
    want,
    missed: () => missed,
  };
}

test('another filter: the new stream is open before the old one is ended', async () => {
  const { sent, acknowledge, want } = open();
  acknowledge(0);
  const changed = want('a');
  expect(sent).toEqual(['listen #0', 'listen #1 a']);
  acknowledge(1);
  await changed;
  expect(sent).toEqual(['listen #0', 'listen #1 a', 'cancel #0']);
});

test('what both streams tell is heard once, without its stamp', async () => {
  const { heard, tell, acknowledge, want } = open();
  acknowledge(0);
  void want('a');
  tell(0, 'tools/list_changed');
  acknowledge(1);
  tell(0, 'resources/updated', { uri: 'a' });
  tell(1, 'resources/updated', { uri: 'a' });
  expect(heard).toEqual([
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a"}}',
  ]);
});

test('many changes in a row are few streams, the last of which has them all', async () => {
  const { sent, ids, acknowledge, want } = open();
  const all = Array.from({ length: 20 }, (_, index) => `r${index}`);
  const changes = all.map((_, index) => want(...all.slice(0, index + 1)));
  await vi.advanceTimersByTimeAsync(1_000);
  acknowledge(ids.length - 1);
  await Promise.all(changes);
  expect(ids.length).toBeLessThan(8);
  expect(sent.findLast((line) => line.startsWith('listen'))).toBe(`listen #${ids.length - 1} ${all.join(' ')}`);
  expect(sent.filter((line) => line.startsWith('cancel'))).toHaveLength(ids.length - 1);
});

test('the same filter is not asked for again', async () => {
  const { sent, acknowledge, want } = open();
  acknowledge(0);
  await want();
  expect(sent).toEqual(['listen #0']);
});

test('a server that does not acknowledge is waited for two seconds', async () => {
  const { sent, want } = open();
  const changed = want('a');
  await vi.advanceTimersByTimeAsync(2_000);
  await changed;
  expect(sent).toEqual(['listen #0', 'cancel #0', 'listen #1 a']);
});

test.each([
  ['an empty result', (id: number) => ({ id, result: { resultType: 'complete' } })],
  ['an error', (id: number) => ({ id, error: { code: -32603, message: 'no' } })],
  [
    'a cancellation by the server',
    (requestId: number) => ({ method: 'notifications/cancelled', params: { requestId } }),
  ],
])('a stream that ends by %s is opened again, later each time, and the lists are read', async (_how, end) => {
  const { sent, ids, hear, acknowledge, missed } = open();
  acknowledge(0);
  hear(end(ids[0]!));
  await vi.advanceTimersByTimeAsync(999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['listen #0', 'listen #1']);
  acknowledge(1);
  expect(missed()).toBe(1);
  hear(end(ids[1]!));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(3);
});

test('a server without such streams is asked once, and nobody waits for it', async () => {
  const { sent, ids, hear, want } = open();
  const changed = want('a');
  for (const id of ids) hear({ id, error: { code: -32601, message: 'unknown' } });
  await changed;
  await want('b');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent.filter((line) => line.startsWith('listen'))).toHaveLength(2);
});

test('a stream that fails as it is opened is opened again after a second', async () => {
  const { stream, link, sent, want, acknowledge } = open();
  acknowledge(0);
  const send = vi.spyOn(link, 'send').mockImplementation((waiter) => {
    waiter.onFailure(new GatewayError('UPSTREAM_EXITED', 'gone'));
    return -1;
  });
  const confirmed = stream.confirm('a', 10_000);
  await want('a');
  expect(send).toHaveBeenCalledTimes(1);
  send.mockRestore();
  await vi.advanceTimersByTimeAsync(999);
  expect(sent).toEqual(['listen #0']);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['listen #0', 'listen #1 a']);
  acknowledge(1);
  expect(await confirmed).toBe('told');
});

test('with the connection everything ends', async () => {
  const { stream, link, sent, want } = open();
  const changed = want('a');
  stream.detach();
  link.end({ reason: 'gone' });
  await changed;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent.filter((line) => line.startsWith('listen'))).toHaveLength(2);
});

test('a stream whose server reports nothing else is closed when nobody wants anything, and nobody waits for it', async () => {
  const { sent, acknowledge, want } = open({ resources: { subscribe: true } });
  expect(sent).toEqual([]);
  void want('a');
  acknowledge(0);
  await want();
  expect(sent).toEqual(['listen #0 a', 'cancel #0']);
});

test('those who want what is asked for already wait until it is acknowledged', async () => {
  const { sent, acknowledge, want } = open();
  acknowledge(0);
  let isOver = false;
  void want('a');
  const same = want('a').then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([isOver, sent]).toEqual([false, ['listen #0', 'listen #1 a']]);
  acknowledge(1);
  await same;
});

test('an acknowledgement of a filter of before releases nobody who wants more', async () => {
  const { ids, acknowledge, want } = open();
  acknowledge(0);
  for (const uri of ['a', 'b', 'c', 'd']) void want(uri);
  let isOver = false;
  const last = want('e').then(() => {
    isOver = true;
  });
  acknowledge(ids.length - 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  acknowledge(ids.length - 1);
  await last;
});

test('a stream that ends while another one is opened is not opened again', async () => {
  const { sent, ids, hear, acknowledge, want, missed } = open();
  acknowledge(0);
  void want('a');
  hear({ id: ids[0]!, result: { resultType: 'complete' } });
  expect(vi.getTimerCount()).toBe(1);
  acknowledge(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, missed()]).toEqual([['listen #0', 'listen #1 a'], 0]);
});

test('a change opens a stream at once where one has ended, and the lists are read once', async () => {
  const { sent, ids, hear, acknowledge, want, missed } = open();
  acknowledge(0);
  hear({ id: ids[0]!, result: { resultType: 'complete' } });
  void want('a');
  expect(sent).toEqual(['listen #0', 'listen #1 a']);
  acknowledge(1);
  expect(vi.getTimerCount()).toBe(0);
  void want('b');
  acknowledge(2);
  expect(missed()).toBe(1);
});

test.each([
  ['ended again and again', { result: { resultType: 'complete' } }],
  ['was not known', { error: { code: -32601, message: 'unknown' } }],
])('the next connection begins anew where the stream of the one before %s', async (_how, end) => {
  const { stream, attach, sent, ids, hear, acknowledge, missed } = open();
  acknowledge(0);
  for (const afterMs of [1_000, 2_000]) {
    hear({ id: ids.at(-1)!, result: { resultType: 'complete' } });
    await vi.advanceTimersByTimeAsync(afterMs);
    acknowledge(ids.length - 1);
  }
  hear({ id: ids.at(-1)!, ...end });
  stream.detach();
  expect(vi.getTimerCount()).toBe(0);
  const before = missed();
  sent.length = 0;
  attach();
  acknowledge(ids.length - 1);
  expect([sent.length, missed()]).toEqual([1, before]);
  hear({ id: ids.at(-1)!, result: { resultType: 'complete' } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(2);
});

test('a connection that ends leaves no timer and takes nothing from its streams any more', () => {
  const { stream, ids, hear, acknowledge, want } = open();
  for (const uri of ['a', 'b', 'c', 'd', 'e']) void want(uri);
  stream.detach();
  expect(vi.getTimerCount()).toBe(0);
  acknowledge(0);
  hear({ id: ids[0]!, result: { resultType: 'complete' } });
  expect(vi.getTimerCount()).toBe(0);
});

describe('what a server says to a subscription', () => {
  const told = (server: ReturnType<typeof open>, index: number, ...uris: string[]) =>
    server.tell(index, 'subscriptions/acknowledged', { notifications: { resourceSubscriptions: uris } });

  test('is what its acknowledgement names', async () => {
    const server = open();
    server.acknowledge(0);
    const both = [server.confirm('a'), server.confirm('b')];
    await vi.advanceTimersByTimeAsync(1_000);
    told(server, server.ids.length - 1, 'b');
    expect(await Promise.all(both)).toEqual(['refused', 'told']);
    const again = server.confirm('b');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await again).toBe('told');
  });

  test('is yes where it acknowledges without a word about resources', async () => {
    const server = open();
    server.acknowledge(0);
    const confirmed = server.confirm('a');
    server.acknowledge(1);
    expect(await confirmed).toBe('told');
  });

  test('may come late, and is nothing when it does not come at all', async () => {
    const server = open();
    server.acknowledge(0);
    const late = server.confirm('a');
    await vi.advanceTimersByTimeAsync(5_000);
    told(server, 1, 'a');
    expect(await late).toBe('told');
    const never = server.confirm('b');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await never).toBe('silent');
  });

  test('is no where the stream is refused, and where there are no such streams', async () => {
    const server = open();
    server.acknowledge(0);
    const refused = server.confirm('a');
    server.hear({ id: server.ids[1]!, error: { code: -32602, message: 'no such resource' } });
    expect(await refused).toBe('refused');
    const unknown = server.confirm('b');
    await vi.advanceTimersByTimeAsync(1_000);
    server.hear({ id: server.ids.at(-1)!, error: { code: -32601, message: 'unknown' } });
    expect(await unknown).toBe('refused');
    expect(await server.confirm('c')).toBe('refused');
  });

  test('is unknown when the connection ends first', async () => {
    const server = open();
    const lost = server.confirm('a');
    server.stream.detach();
    expect(await lost).toBe('lost');
    expect(await server.confirm('a')).toBe('lost');
  });
});
