import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/session/exchange.ts';
import { OpenRequests } from '../../../src/session/open-requests.ts';
import { madeRequest, type NotificationMessage, type RequestMessage } from '../../../src/wire/message.ts';
import { Asked, read } from './modern-setup.ts';

/** A request that the test can park, and what became of it. */
class Held {
  isParked = false;
  cancelled = false;
  readonly #exchange: { reply(bytes: string): void };

  constructor(exchange: { reply(bytes: string): void }) {
    this.#exchange = exchange;
  }

  park(): void {
    this.isParked = true;
    this.#exchange.reply('{"resultType":"input_required"}');
  }

  answer(): void {
    this.isParked = false;
    this.#exchange.reply('{}');
  }

  cancel(): void {
    this.cancelled = true;
  }
}

const requestOf = (id: number) => read<RequestMessage>(`{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`);
const cancel = (requests: OpenRequests, id: number) =>
  requests.onCancelled(
    read<NotificationMessage>(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"r"}}`,
    ),
  );

function begin(requests: OpenRequests, id: number): Held {
  let held: Held | undefined;
  requests.track(requestOf(id), new Asked(id), (exchange) => {
    held = new Held(exchange);
    return held;
  });
  return held!;
}

test('a request that is open can be cancelled, one that is answered cannot', () => {
  const requests = new OpenRequests();
  const [first, second] = [begin(requests, 1), begin(requests, 2)];
  second.answer();
  expect([cancel(requests, 1), cancel(requests, 2), cancel(requests, 3)]).toEqual([true, false, false]);
  expect([first.cancelled, second.cancelled]).toEqual([true, false]);
});

test('a request whose call waits for input can be cancelled, and its id is free', () => {
  const requests = new OpenRequests();
  const call = begin(requests, 1);
  call.park();
  expect(requests.has(requestOf(1))).toBe(false);
  expect(cancel(requests, 1)).toBe(true);
  expect(call.cancelled).toBe(true);
});

test('a call that waits for input again is cancelled by the id of its last request only', () => {
  const requests = new OpenRequests();
  const call = begin(requests, 1);
  call.park();
  const retried = new Asked(2);
  requests.track(requestOf(2), retried, (exchange) => {
    // What it asked was not answered: it is parked at once.
    exchange.reply('{}');
    return call;
  });
  expect(cancel(requests, 1)).toBe(false);
  expect(call.cancelled).toBe(false);
  expect(cancel(requests, 2)).toBe(true);
  expect(call.cancelled).toBe(true);
});

test('the id of a call that has gone on means nothing any more', () => {
  const requests = new OpenRequests();
  const call = begin(requests, 1);
  call.park();
  call.isParked = false;
  expect(cancel(requests, 1)).toBe(false);
  const other = begin(requests, 1);
  expect(cancel(requests, 1)).toBe(true);
  expect([call.cancelled, other.cancelled]).toEqual([false, true]);
});

test('an id that is used again no longer leads to the call that was parked under it', () => {
  const requests = new OpenRequests();
  const parked = begin(requests, 1);
  parked.park();
  begin(requests, 1).answer();
  expect(cancel(requests, 1)).toBe(false);
  expect(parked.cancelled).toBe(false);
});

test('a request on a pipe waits for room as its client does', () => {
  const room = Promise.resolve();
  const exchange: Exchange = Object.assign(new Asked(1), { whenRoom: () => room });
  let tracked: Exchange | undefined;
  new OpenRequests().track(madeRequest('tools/call', '{}'), exchange, (begun) => {
    tracked = begun;
    return { cancel: () => undefined };
  });
  expect(tracked?.whenRoom?.()).toBe(room);
});

test('a request that is abandoned cannot be cancelled any more, and its client is told', () => {
  const requests = new OpenRequests();
  const asked = new Asked(1);
  let begun: Exchange | undefined;
  requests.track(requestOf(1), asked, (exchange) => {
    begun = exchange;
    return { cancel: () => undefined };
  });
  expect(requests.has(requestOf(1))).toBe(true);
  begun!.abandon();
  expect([requests.has(requestOf(1)), cancel(requests, 1), asked.isAbandoned]).toEqual([false, false, true]);
});

test('of several calls that wait for input, each is cancelled by its own id', () => {
  const requests = new OpenRequests();
  const [one, two] = [begin(requests, 1), begin(requests, 2)];
  one.park();
  two.park();
  expect([cancel(requests, 1), one.cancelled, two.cancelled]).toEqual([true, true, false]);
  expect([cancel(requests, 2), two.cancelled]).toEqual([true, true]);
});

test('the answer and the messages of a request reach its client', () => {
  const asked = new Asked(1);
  new OpenRequests().track(requestOf(1), asked, (exchange) => {
    exchange.send('{"method":"notifications/message"}');
    exchange.sendIfRoom('{"method":"notifications/progress"}');
    exchange.reply('{}', 202);
    return undefined;
  });
  expect([asked.events, asked.replies, asked.status]).toEqual([
    [{ method: 'notifications/message' }, { method: 'notifications/progress' }],
    1,
    202,
  ]);
});

test('a request that begins nothing cannot be cancelled', () => {
  const requests = new OpenRequests();
  requests.track(requestOf(1), new Asked(1), () => undefined);
  expect([requests.has(requestOf(1)), cancel(requests, 1)]).toEqual([false, false]);
});

test.each([
  ['the reason of the client', '{"requestId":1,"reason":"r"}', '"r"'],
  ['no reason if the client gives none', '{"requestId":1}', undefined],
])('a request is cancelled with %s', (_what, params, reason) => {
  const requests = new OpenRequests();
  const reasons: unknown[] = [];
  requests.track(requestOf(1), new Asked(1), () => ({ cancel: (given) => void reasons.push(given) }));
  requests.onCancelled(
    read<NotificationMessage>(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`),
  );
  expect(reasons).toEqual([reason]);
});
