import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../../src/core/errors.ts';
import type { Caller, ProviderCall } from '../../../../../src/core/providers/provider.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import type { ServerFacts } from '../../../../../src/upstream/connection/handshake.ts';
import type { Link } from '../../../../../src/upstream/connection/link.ts';
import { ResourceWatch } from '../../../../../src/upstream/events/subscriptions/resource-watch.ts';
import { readCallText } from '../../../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../../../src/wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../../../../src/wire/reply.ts';

const FACTS: ServerFacts = {
  era: 'legacy',
  protocolVersion: '2025-11-25',
  capabilities: { resources: { subscribe: true } },
  serverInfo: {},
  instructions: undefined,
};
const GOOD = resultReply({});
const REFUSED = errorReply({ code: -32602, message: 'no' });
const LOST = new GatewayError('UPSTREAM_EXITED', 'gone', { effect: 'unknown' });

/** A request at the upstream, which this test answers. */
interface AtUpstream {
  readonly method: string;
  readonly uri: string;
  answer(reply: Reply | GatewayError): Promise<void>;
  isCancelled: boolean;
}

/** A legacy upstream with a slow mind of its own: it has a subscription from when it answers, in the order of its answers. */
function open({ isSent = true } = {}) {
  const requests: AtUpstream[] = [];
  const held = new Set<string>();
  const apply = (method: string, uri: string, isGood: boolean) => {
    if (!isGood) return;
    if (method.endsWith('unsubscribe')) held.delete(uri);
    else held.add(uri);
  };
  const send = ({ caller, ownName, text }: ProviderCall) => {
    const { method } = text.message;
    const request: AtUpstream = {
      method,
      uri: ownName,
      isCancelled: false,
      async answer(reply) {
        if (reply instanceof GatewayError) caller.onFailure(reply);
        else {
          apply(method, ownName, reply.outcome === 'result');
          caller.onReply(reply);
        }
      },
    };
    requests.push(request);
    return {
      isSent,
      cancel: () => {
        request.isCancelled = true;
      },
    };
  };
  const watch = new ResourceWatch({
    upstream: 'up',
    log: createLog({ level: 'silent' }),
    patienceMs: 1_000,
    send,
    request: (method, params) =>
      new Promise((resolve) => {
        const { uri } = params as { uri: string };
        const answer = async (reply: Reply | GatewayError) => {
          const isGood = !(reply instanceof GatewayError) && reply.outcome === 'result';
          apply(method, uri, isGood);
          resolve(isGood);
          await Promise.resolve();
        };
        requests.push({ method, uri, answer, isCancelled: false });
      }),
    taskIds: () => [],
    onMissed: () => undefined,
  });
  const ask = (method: 'subscribe' | 'unsubscribe', sessionId: string, uri = 'r') => {
    const text = readCallText(madeRequest(`resources/${method}`, JSON.stringify({ uri })));
    if ('problem' in text) throw new Error(text.problem);
    const told: string[] = [];
    const caller = {
      sessionId,
      client: {},
      onReply: ({ outcome }: Reply) => void told.push(outcome),
      onFailure: ({ code }: GatewayError) => void told.push(code),
    } as unknown as Caller;
    const call = { text, ownName: uri, ownToken: `"${uri}"`, caller };
    const running = watch[method](call);
    return { told, cancel: () => running.cancel() };
  };
  const connect = () => watch.attach({} as Link, FACTS);
  connect();
  const sent = () => requests.map(({ method, uri }) => `${method.slice('resources/'.length)} ${uri}`);
  const hears = () => [...watch.subscriptions.spellingsOf('r', 'r').keys()];
  return { watch, requests, held, ask, connect, sent, hears };
}

describe('the subscriptions of a legacy upstream', () => {
  test('a client whose subscribe is on its way keeps it when another leaves', async () => {
    const { watch, requests, held, ask, hears } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    const b = ask('subscribe', 'B');
    watch.onSessionEnded('A');
    await requests[1]!.answer(GOOD);
    expect(b.told).toEqual(['result']);
    expect(requests).toHaveLength(2);
    expect([...held]).toEqual(['r']);
    expect(hears()).toEqual(['B']);
  });

  test('are ended after all where the subscribe on its way is refused and the one who had it has left', async () => {
    const { watch, requests, ask, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    const b = ask('subscribe', 'B');
    watch.onSessionEnded('A');
    await requests[1]!.answer(REFUSED);
    expect(b.told).toEqual(['error']);
    expect(sent()).toEqual(['subscribe r', 'subscribe r', 'unsubscribe r']);
  });

  test('a client that leaves before the answer leaves nothing behind', async () => {
    const { watch, requests, held, ask, sent, hears } = open();
    const a = ask('subscribe', 'A');
    a.cancel();
    watch.onSessionEnded('A');
    expect(requests[0]!.isCancelled).toBe(false);
    await requests[0]!.answer(GOOD);
    expect(a.told).toEqual([]);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r']);
    await requests[1]!.answer(GOOD);
    expect([...held]).toEqual([]);
    expect(hears()).toEqual([]);
  });

  test('one that was cancelled before it was sent is not sent', () => {
    const { requests, ask, sent, hears } = open({ isSent: false });
    ask('subscribe', 'A').cancel();
    expect(requests[0]!.isCancelled).toBe(true);
    expect(sent()).toEqual(['subscribe r']);
    expect(hears()).toEqual([]);
  });

  test('a subscribe waits for the unsubscribe before it', async () => {
    const { requests, held, ask, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    ask('unsubscribe', 'A');
    const b = ask('subscribe', 'B');
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r']);
    await requests[1]!.answer(GOOD);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r', 'subscribe r']);
    await requests[2]!.answer(GOOD);
    expect(b.told).toEqual(['result']);
    expect([...held]).toEqual(['r']);
  });

  test('of one resource wait for none of another', () => {
    const { ask, sent } = open();
    ask('subscribe', 'A', 'r');
    ask('subscribe', 'A', 's');
    expect(sent()).toEqual(['subscribe r', 'subscribe s']);
  });

  test('a client that takes its subscribe back before it is sent is answered, and the upstream not asked', async () => {
    const { requests, ask, sent } = open();
    ask('subscribe', 'A');
    const b = ask('subscribe', 'B');
    const end = ask('unsubscribe', 'B');
    expect(end.told).toEqual(['result']);
    ask('unsubscribe', 'A');
    await requests[0]!.answer(GOOD);
    expect(b.told).toEqual(['result']);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r']);
  });

  test('that were refused are none, and take nothing from those who had one', async () => {
    const { requests, ask, hears, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    const again = ask('subscribe', 'A');
    const b = ask('subscribe', 'B');
    await requests[1]!.answer(REFUSED);
    await requests[2]!.answer(REFUSED);
    expect([again.told, b.told]).toEqual([['error'], ['error']]);
    expect(hears()).toEqual(['A']);
    expect(sent()).not.toContain('unsubscribe r');
  });

  test('an upstream that may have one that nobody wants is told so', async () => {
    const { requests, ask, sent } = open();
    const a = ask('subscribe', 'A');
    await requests[0]!.answer(LOST);
    expect(a.told).toEqual(['UPSTREAM_EXITED']);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r']);
  });

  test('are asked for again on a new connection, but for those that nobody was promised', async () => {
    const { watch, requests, ask, connect, sent } = open();
    ask('subscribe', 'A', 'r');
    await requests[0]!.answer(GOOD);
    ask('subscribe', 'B', 's');
    watch.detach();
    await requests[1]!.answer(LOST);
    connect();
    expect(sent()).toEqual(['subscribe r', 'subscribe s', 'subscribe r']);
  });

  test('that were answered on the connection before are asked for once more on the new one', async () => {
    const { requests, ask, connect, sent } = open();
    const a = ask('subscribe', 'A');
    connect();
    await requests[0]!.answer(GOOD);
    expect(a.told).toEqual(['result']);
    expect(sent()).toEqual(['subscribe r', 'subscribe r']);
  });

  test('that were asked for again are asked for once more where the answer is one of the connection before', async () => {
    const { requests, ask, connect, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    connect();
    connect();
    await requests[1]!.answer(GOOD);
    await expect.poll(sent).toEqual(['subscribe r', 'subscribe r', 'subscribe r']);
  });

  test('that were refused when they were asked for again are not ended', async () => {
    const { watch, requests, ask, connect, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    connect();
    await requests[1]!.answer(REFUSED);
    watch.onSessionEnded('A');
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r', 'subscribe r']);
  });

  test('are not ended while there is no connection', async () => {
    const { watch, requests, ask, connect, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    watch.detach();
    watch.onSessionEnded('A');
    connect();
    expect(sent()).toEqual(['subscribe r']);
  });

  test('are ended in the end also where the client takes its unsubscribe back', async () => {
    const { requests, ask, sent } = open({ isSent: false });
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    ask('unsubscribe', 'A').cancel();
    expect(requests[1]!.isCancelled).toBe(true);
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r', 'unsubscribe r']);
  });

  test('are ended once', async () => {
    const { requests, ask, sent, watch } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    ask('unsubscribe', 'A');
    await requests[1]!.answer(GOOD);
    watch.onSessionEnded('A');
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r', 'unsubscribe r']);
  });

  test('are not ended where another client wants them by the turn of the unsubscribe', async () => {
    const { requests, ask, connect, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    connect();
    const end = ask('unsubscribe', 'A');
    const b = ask('subscribe', 'B');
    await requests[1]!.answer(GOOD);
    await new Promise(setImmediate);
    expect([end.told, sent()]).toEqual([['result'], ['subscribe r', 'subscribe r', 'subscribe r']]);
    await requests[2]!.answer(GOOD);
    expect(b.told).toEqual(['result']);
  });

  test('that were asked for again are ended where nobody wants them by the answer', async () => {
    const { requests, ask, connect, sent, watch } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    connect();
    watch.onSessionEnded('A');
    await requests[1]!.answer(GOOD);
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r', 'subscribe r', 'unsubscribe r']);
  });

  test('are asked for again once only, for whatever reasons', async () => {
    const { requests, ask, connect, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    ask('subscribe', 'B');
    connect();
    await requests[1]!.answer(GOOD);
    await requests[2]!.answer(GOOD);
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r', 'subscribe r', 'subscribe r']);
  });

  test('that a client takes back while it waits for its turn are not asked for', async () => {
    const { requests, ask, sent, hears } = open();
    ask('subscribe', 'A');
    const b = ask('subscribe', 'B');
    b.cancel();
    await requests[0]!.answer(GOOD);
    await new Promise(setImmediate);
    expect([sent(), hears()]).toEqual([['subscribe r'], ['A']]);
  });
});

describe('a modern upstream', () => {
  const call = (method: string) => {
    const text = readCallText(madeRequest(method, '{"uri":"r"}'));
    if ('problem' in text) throw new Error(text.problem);
    return { text, ownName: 'r', ownToken: '"r"', caller: { sessionId: 'A', client: {} } as Caller };
  };

  test('is sent no request about subscriptions: the gateway answers', async () => {
    const { watch, requests } = open();
    watch.attach({} as Link, { ...FACTS, era: 'modern', capabilities: {} });
    expect((await watch.ownAnswer(call('resources/subscribe')))?.outcome).toBe('error');
    expect((await watch.ownAnswer(call('resources/unsubscribe')))?.outcome).toBe('result');
    expect(watch.ownAnswer(call('resources/read'))).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('is not asked again for what a legacy one had granted before', async () => {
    const { watch, requests, ask, sent } = open();
    ask('subscribe', 'A');
    await requests[0]!.answer(GOOD);
    watch.attach({} as Link, { ...FACTS, era: 'modern', capabilities: {} });
    watch.onSessionEnded('A');
    await new Promise(setImmediate);
    expect(sent()).toEqual(['subscribe r']);
  });
});
