import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../../../src/catalogue/merged-list.ts';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { Caller, Provider } from '../../../../src/core/providers/provider.ts';
import { ClientSubscriptions } from '../../../../src/session/subscriptions/client-subscriptions.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../../src/wire/message.ts';
import { errorReply, resultReply } from '../../../../src/wire/reply.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Asked {
  readonly provider: Provider;
  readonly caller: Caller;
  isCancelled: boolean;
}

/** A catalogue with one provider, whose answers are the test's. */
function setup() {
  const providers: Provider[] = [];
  const asked: Asked[] = [];
  const lookedUp: string[] = [];
  const provider = (id = 'up') => ({ id }) as Provider;
  const host = {
    log: createLog({ level: 'silent' }),
    catalogue: {
      providers,
      // "public:x" and "x" are one resource.
      finder: {
        findResource: (uri: string) => {
          lookedUp.push(uri);
          const ownName = uri.replace(/^public:/, '');
          return providers.map((one) => ({ provider: one, ownName }) as unknown as Route);
        },
      },
    },
    router: {
      call: (_text: CallText, caller: Caller) => {
        const [to] = providers;
        caller.onRoute?.(to!, undefined);
        const call: Asked = { provider: to!, caller, isCancelled: false };
        asked.push(call);
        return {
          cancel: () => {
            call.isCancelled = true;
          },
        };
      },
    },
  };
  const use = (...now: Provider[]) => void providers.splice(0, providers.length, ...now);
  const client = { sessionId: 'A', client: {}, ask: () => () => undefined } as unknown as Caller;
  const subscriptions = new ClientSubscriptions({ host: host as never, caller: () => client });
  const request = (
    method: 'subscribe' | 'unsubscribe',
    uri: string,
    onFailure: Caller['onFailure'] = () => undefined,
  ) => {
    const text = readCallText(madeRequest(`resources/${method}`, JSON.stringify({ uri })));
    if ('problem' in text) throw new Error(text.problem);
    const told: string[] = [];
    const caller = {
      ...client,
      onReply: ({ outcome }: { outcome: string }) => void told.push(outcome),
      onFailure,
    } as unknown as Caller;
    let noting = caller;
    const running = subscriptions.call(text, caller, (sent) => {
      noting = sent;
      return { cancel: () => undefined };
    });
    return { noting, told, running };
  };
  const subscribe = (uri: string) => {
    const { noting } = request('subscribe', uri);
    noting.onRoute?.(providers[0]!, undefined);
    noting.onReply(resultReply({}));
  };
  const good = (index = asked.length - 1) => asked[index]!.caller.onReply(resultReply({}));
  return { lookedUp, subscriptions, asked, provider, use, request, subscribe, good };
}

describe('what a client has subscribed to', () => {
  test('is asked for again of the provider that takes the place of another, once', () => {
    const { subscriptions, asked, provider, use, subscribe, good } = setup();
    use(provider());
    subscribe('r');
    subscriptions.restore();
    expect(asked).toEqual([]);
    const next = provider();
    use(next);
    subscriptions.restore();
    subscriptions.restore();
    expect(asked.map((call) => call.provider)).toEqual([next]);
    good();
    subscriptions.restore();
    expect(asked).toHaveLength(1);
  });

  test('is not told to another server', () => {
    const { subscriptions, asked, provider, use, subscribe } = setup();
    use(provider('up'));
    subscribe('r');
    use(provider('other'));
    subscriptions.restore();
    expect(asked).toEqual([]);
    use(provider('up'));
    subscriptions.restore();
    expect(asked).toHaveLength(1);
  });

  test('is asked for again after growing pauses while that fails', async () => {
    const { subscriptions, asked, provider, use, subscribe, good } = setup();
    use(provider());
    subscribe('r');
    use(provider());
    subscriptions.restore();
    asked[0]!.caller.onFailure(new GatewayError('UPSTREAM_NOT_CONNECTED', 'starting'));
    await vi.advanceTimersByTimeAsync(1_000);
    asked[1]!.caller.onReply(errorReply({ code: -32602, message: 'no' }));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(3);
    good();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toHaveLength(3);
  });

  test('is asked for again when its provider says that it was lost', () => {
    const { subscriptions, asked, provider, use, subscribe } = setup();
    const up = provider();
    use(up);
    subscribe('r');
    subscriptions.onLost(provider());
    expect(asked).toEqual([]);
    subscriptions.onLost(up);
    expect(asked).toHaveLength(1);
  });

  test('is not asked for any more once the client does not want it, under whatever uri, or has gone', () => {
    const { subscriptions, asked, provider, use, subscribe, request, good } = setup();
    use(provider());
    subscribe('r');
    subscribe('s');
    use(provider());
    subscriptions.restore();
    request('unsubscribe', 'r');
    expect(asked.map(({ isCancelled }) => isCancelled)).toEqual([true, false]);
    subscriptions.end();
    expect(asked.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
    good();
    use(provider());
    subscriptions.restore();
    expect(asked).toHaveLength(2);
  });

  test('counts from the answer: a refused request is not repeated', () => {
    const { subscriptions, asked, provider, use, request } = setup();
    use(provider());
    const { noting, told } = request('subscribe', 'r');
    noting.onRoute?.(provider(), undefined);
    noting.onReply(errorReply({ code: -32602, message: 'no' }));
    use(provider());
    subscriptions.restore();
    expect(asked).toEqual([]);
    expect(told).toEqual(['error']);
  });

  test('is nothing that it has taken back, or cancelled, before the answer', () => {
    const { subscriptions, asked, provider, use, request } = setup();
    use(provider());
    const taken = request('subscribe', 'r');
    request('unsubscribe', 'r');
    taken.noting.onRoute?.(provider(), undefined);
    taken.noting.onReply(resultReply({}));
    request('subscribe', 's').running.cancel();
    use(provider());
    subscriptions.restore();
    expect(asked).toEqual([]);
  });

  test('has as much room as before once a request is cancelled', () => {
    const { provider, use, request } = setup();
    use(provider());
    for (let index = 0; index < 10_000; index++) request('subscribe', `r${index}`).running.cancel();
    const failed: GatewayError[] = [];
    request('subscribe', 'r', (error) => void failed.push(error));
    expect(failed).toEqual([]);
  });

  test('ends by its other uri also where the uris mean another resource by now', () => {
    const { subscriptions, asked, provider, use, subscribe, request } = setup();
    use(provider('up'));
    subscribe('r');
    request('unsubscribe', 'public:s');
    use(provider('other'));
    subscriptions.restore();
    request('unsubscribe', 'public:r');
    use(provider('up'));
    subscriptions.restore();
    expect(asked).toEqual([]);
  });

  test('ends by its other uri where it was subscribed to after one was unsubscribed from', () => {
    const { subscriptions, asked, provider, use, subscribe, request } = setup();
    use(provider());
    request('unsubscribe', 'public:s');
    subscribe('r');
    const open = request('subscribe', 't');
    request('unsubscribe', 'public:r');
    request('unsubscribe', 'public:t');
    open.noting.onRoute?.(provider(), undefined);
    open.noting.onReply(resultReply({}));
    use(provider());
    subscriptions.restore();
    expect(asked).toEqual([]);
  });

  test('leaves no timer behind once the client does not want it, or its provider has agreed', () => {
    const { subscriptions, asked, provider, use, subscribe, request, good } = setup();
    use(provider());
    subscribe('r');
    subscribe('s');
    use(provider());
    subscriptions.restore();
    request('unsubscribe', 'r');
    asked[0]!.caller.onFailure(new GatewayError('CALL_CANCELLED', 'cancelled'));
    good(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is told where the request went, as any other call is', () => {
    const { provider, use, subscriptions } = setup();
    const up = provider();
    use(up);
    const text = readCallText(madeRequest('resources/subscribe', '{"uri":"r"}'));
    if ('problem' in text) throw new Error(text.problem);
    const routes: unknown[] = [];
    const caller = { onRoute: (to: Provider) => void routes.push(to) } as unknown as Caller;
    subscriptions.call(text, caller, (noting) => {
      noting.onRoute?.(up, undefined);
      return { cancel: () => undefined };
    });
    expect(routes).toEqual([up]);
  });

  test('ends by its other uri also where a second request for it has failed', () => {
    const { subscriptions, asked, provider, use, subscribe, request } = setup();
    use(provider());
    subscribe('r');
    request('unsubscribe', 'public:s');
    const again = request('subscribe', 'r');
    again.noting.onFailure(new GatewayError('UPSTREAM_TIMEOUT', 'late'));
    request('unsubscribe', 'public:r');
    use(provider());
    subscriptions.restore();
    expect(asked).toEqual([]);
  });

  test('is not asked for twice where the client subscribes again itself', () => {
    const { subscriptions, asked, provider, use, subscribe } = setup();
    use(provider());
    subscribe('r');
    use(provider());
    subscriptions.restore();
    expect(asked.map(({ isCancelled }) => isCancelled)).toEqual([false]);
    subscribe('r');
    expect(asked.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });

  test('that was granted by a provider that was replaced meanwhile is asked for at once', () => {
    const { asked, provider, use, request } = setup();
    const old = provider();
    use(provider());
    const { noting } = request('subscribe', 'r');
    noting.onRoute?.(old, undefined);
    noting.onReply(resultReply({}));
    expect(asked).toHaveLength(1);
  });
});

test('a first request tells whether the client will hear, and is cancelled when the client leaves', async () => {
  const { subscriptions, asked, provider, use, good } = setup();
  use(provider());
  const [first, second] = [subscriptions.subscribe('r'), subscriptions.subscribe('s')];
  good(0);
  expect(await first).toBe(true);
  subscriptions.end();
  expect(asked.map(({ isCancelled }) => isCancelled)).toEqual([false, true]);
  asked[1]!.caller.onFailure(new GatewayError('CALL_CANCELLED', 'gone'));
  expect(await second).toBe(false);
});

describe('10,000 subscriptions', () => {
  const COUNT = 10_000;

  test('are ended one by one, each resource being looked up a few times only', () => {
    const { lookedUp, subscribe, request, use, provider, subscriptions, asked } = setup();
    use(provider());
    for (let index = 0; index < COUNT; index++) subscribe(`x:${index}`);
    for (let index = 0; index < COUNT; index++) request('unsubscribe', `public:x:${index}`);
    expect(lookedUp.length).toBeLessThan(5 * COUNT);
    use(provider());
    subscriptions.restore();
    expect(asked).toEqual([]);
  });

  test('are ended in turns with new ones, and before they are answered', () => {
    const { lookedUp, subscribe, request, use, provider, subscriptions, asked } = setup();
    use(provider());
    for (let index = 0; index < COUNT / 2; index++) subscribe(`x:${index}`);
    const open = Array.from({ length: COUNT / 2 }, (_, index) => request('subscribe', `y:${index}`));
    for (let index = 0; index < COUNT / 2; index++) {
      request('unsubscribe', `x:${index}`);
      subscribe(`public:z:${index}`);
      request('unsubscribe', `public:y:${index}`);
    }
    for (const { noting } of open) {
      noting.onRoute?.({ id: 'up' } as Provider, undefined);
      noting.onReply(resultReply({}));
    }
    expect(lookedUp.length).toBeLessThan(10 * COUNT);
    use(provider());
    subscriptions.restore();
    expect(asked).toHaveLength(COUNT / 2);
  });
});

test('requests that are not answered yet count among the 10,000 subscriptions', () => {
  const { request, subscribe, use, provider } = setup();
  use(provider());
  for (let index = 0; index < 6_000; index++) subscribe(`x:${index}`);
  const refused: string[] = [];
  const ask = (uri: string) => request('subscribe', uri, (error) => void refused.push(error.code));
  for (let index = 0; index < 4_000; index++) ask(`y:${index}`);
  expect(refused).toEqual([]);
  ask('one more');
  expect(refused).toEqual(['OVERLOADED']);
});

test.each([
  [8 * 1024, []],
  [8 * 1024 + 1, ['INVALID_PARAMS']],
])('a uri of %i characters is refused if it has more than 8,192', (length, expected) => {
  const { request, use, provider } = setup();
  use(provider());
  const refused: string[] = [];
  request('subscribe', 'u'.repeat(length), (error) => void refused.push(error.code));
  expect(refused).toEqual(expected);
});
