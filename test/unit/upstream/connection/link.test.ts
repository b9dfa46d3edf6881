import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { LinkEvents } from '../../../../src/upstream/connection/link-receiver.ts';
import { PeerFaults } from '../../../../src/upstream/connection/peer-faults.ts';
import type { Transport } from '../../../../src/upstream/transports/transport.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { JsonTextError } from '../../../../src/wire/json-error.ts';
import { NewlineFramer } from '../../../../src/wire/lines/newline-framer.ts';
import { nearlyJsonLines } from '../../wire/arbitraries.ts';
import { linkTo } from '../links.ts';

/** A link whose peer is this test: what it sent, and what became of its requests. */
function open(other: Partial<LinkEvents> = {}, transport: Partial<Transport> = {}) {
  const sent: string[] = [];
  const settled: number[] = [];
  const events: string[] = [];
  const faults = new PeerFaults(createLog({ level: 'silent' }), (text) => text);
  const link = linkTo(
    {
      send: (bytes) => sent.push(toBuffer(bytes).toString()),
      onSettled: (id) => settled.push(id),
      ...transport,
    },
    {
      onAsk: ({ method }) => events.push(`ask ${method}`),
      onAskCancelled: (id) => events.push(`cancelled ${id}`),
      onNotification: ({ method }) => events.push(`notification ${method}`),
      onLateProgress: (id) => {
        events.push(`late progress ${id}`);
        return false;
      },
      ...other,
    },
    { faults, onHung: (reason) => events.push(`hung ${reason}`) },
  );
  const outcomes: string[][] = [];
  const request = (): number => {
    const outcome: string[] = [];
    outcomes.push(outcome);
    return link.send(
      {
        onResponse: () => outcome.push('response'),
        onFailure: ({ code }) => outcome.push(code),
        onProgress: () => undefined,
        totalMs: 60_000,
      },
      (id) => `{"id":${id}}`,
    );
  };
  const framer = new NewlineFramer(link.receiver, 100_000);
  const hear = (line: string | Buffer) => framer.push(Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]));
  return { link, sent, settled, events, faults, outcomes, request, hear };
}

describe('requests of an upstream', () => {
  test.each([
    ['ping', '"a"', '{"jsonrpc":"2.0","id":"a","result":{}}'],
    ['tools/list', '1', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: tools/list"}}'],
    ['größe', '1', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: größe"}}'],
    ['toString', '1', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: toString"}}'],
    ['__proto__', '1', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: __proto__"}}'],
  ])('that no client can answer are answered here: %s', (method, id, answer) => {
    const { hear, sent, events } = open();
    hear(`{"jsonrpc":"2.0","id":${id},"method":"${method}"}`);
    expect(sent).toEqual([answer]);
    expect(events).toEqual([]);
  });

  test.each(['roots/list', 'sampling/createMessage', 'elicitation/create'])('%s goes to a client', (method) => {
    const { hear, sent, events } = open();
    hear(`{"jsonrpc":"2.0","id":1,"method":"${method}"}`);
    hear('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect([sent, events]).toEqual([[], [`ask ${method}`, 'cancelled 1']]);
  });
});

describe('the transport is told that a request is over', () => {
  test.each([
    ['an answer', (id: number) => `{"id":${id},"result":{}}`],
    ['an answer that is no JSON', (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{oops}}`],
    ['an answer that is none', (id: number) => `{"jsonrpc":"2.0","id":${id},"method":1}`],
    ['an error without an id', () => '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}'],
  ])('by %s', (_what, line) => {
    const { request, hear, settled, outcomes } = open();
    const id = request();
    expect(settled).toEqual([]);
    hear(line(id));
    expect([settled, outcomes[0]!.length]).toEqual([[id], 1]);
  });

  test('by its client, behind the cancellation', () => {
    const { link, request, settled, sent } = open();
    const id = request();
    link.cancel(id);
    expect([settled, sent.at(-1)]).toEqual([[id], expect.stringContaining('notifications/cancelled')]);
  });

  test('by its limit', async () => {
    const { link, settled } = open();
    await expect(link.request('ping', undefined, 1)).rejects.toThrow('no answer within');
    expect(settled).toHaveLength(1);
  });
});

describe('a message with more parts than anybody looks into', () => {
  const tooMany = () => {
    throw new JsonTextError('more than 100000 members or elements', 7);
  };

  test('fails its request if it is an answer', () => {
    const { link, hear } = open();
    const failures: string[] = [];
    const id = link.send({ onResponse: tooMany, onFailure: ({ message }) => failures.push(message) }, () => '{}');
    hear(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(failures).toEqual(['up: invalid answer: more than 100000 members or elements at byte 7']);
  });

  test('is answered with an error if it is a request, and skipped if it is a notification', () => {
    const { hear, sent, faults } = open({ onAsk: tooMany, onNotification: tooMany });
    hear('{"jsonrpc":"2.0","id":"a","method":"roots/list"}');
    hear('{"jsonrpc":"2.0","method":"notifications/message"}');
    const message = 'Invalid request: more than 100000 members or elements at byte 7';
    expect(sent.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 'a', error: { code: -32600, message } },
    ]);
    expect(faults.counts().noise).toBe(2);
  });
});

describe('a wrong answer fails its request at once', () => {
  test.each([
    ['no JSON', (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{oops}}`, 'UPSTREAM_INVALID_ANSWER'],
    [
      'a bad method',
      (id: number) => `{"jsonrpc":"2.0","id":${id},"method":null,"result":{}}`,
      'UPSTREAM_INVALID_ANSWER',
    ],
    [
      'too large',
      (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"a":"${'x'.repeat(200_000)}"}}`,
      'ANSWER_TOO_LARGE',
    ],
    ['too large, id last', (id: number) => `{"result":{"a":"${'x'.repeat(200_000)}"},"id":${id}}`, 'ANSWER_TOO_LARGE'],
  ])('%s', (_name, write, code) => {
    const { hear, outcomes, request } = open();
    const id = request();
    request();
    hear(write(id));
    hear(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(outcomes).toEqual([[code], []]);
  });
});

describe('an error whose id is null', () => {
  const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

  test('fails the only open request at once', () => {
    const { hear, link, outcomes, request } = open();
    // A stream of changes is open for as long as the connection: it is no candidate.
    link.send({ onResponse: () => undefined, onFailure: () => undefined }, (id) => `{"id":${id}}`);
    request();
    hear(error);
    expect(outcomes).toEqual([['UPSTREAM_INVALID_ANSWER']]);
  });

  test('fails none of several requests, and is counted and shown', () => {
    const { faults, hear, outcomes, request } = open();
    const ids = [request(), request()];
    hear(error);
    expect(outcomes).toEqual([[], []]);
    expect(faults.counts()).toMatchObject({ noise: 1, noiseSamples: ['error -32700, id null'] });
    for (const id of ids) hear(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(outcomes).toEqual([['response'], ['response']]);
  });
});

test('an id that comes back as 11.0 means 11', () => {
  const { hear, outcomes, request } = open();
  hear(`{"jsonrpc":"2.0","id":${request()}.0,"result":{}}`);
  expect(outcomes).toEqual([['response']]);
});

test('a request of which the transport knows that it will not be answered fails at once, and once', () => {
  const { link, outcomes, request } = open();
  const id = request();
  request();
  link.receiver.onRequestFailed(id, {
    code: 'UPSTREAM_REFUSED',
    reason: 'it refuses us (HTTP 403)',
    effect: 'none',
    status: 403,
  });
  link.receiver.onRequestFailed(id, { code: 'UPSTREAM_EXITED', reason: 'it is gone', effect: 'unknown' });
  expect(outcomes).toEqual([['UPSTREAM_REFUSED'], []]);
});

test('whatever an upstream sends, nothing is thrown, no request is settled twice, and the next answer is heard', () => {
  const far = 'x'.repeat(5_000);
  const members = fc.constantFrom(
    '"jsonrpc":"2.0"',
    '"id":ID',
    '"id":"ID"',
    '"id":null',
    `"id":"\\n${far}\\x"`,
    '"method":"roots/list"',
    '"error":"no"',
    `"method":"${far}\\x"`,
    '"method":"ping"',
    '"method":"notifications/progress"',
    '"method":"notifications/cancelled"',
    '"params":{"progressToken":ID}',
    '"params":{"requestId":ID}',
    `"params":{"${far}\\u1":1}`,
    '"params":[1]',
    '"result":{}',
    '"result":null',
    `"error":{"code":1e400,"message":"${far}\\x"}`,
    `"${far}é\\x":1`,
    '"__proto__":{}',
  );
  const lines = fc.oneof(
    { weight: 3, arbitrary: fc.array(members, { maxLength: 5 }).map((parts) => `{${parts.join(',')}}`) },
    { weight: 1, arbitrary: nearlyJsonLines },
  );
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 6 }), (sequence) => {
      const { hear, link, outcomes, request } = open();
      const [id] = [request(), request()];
      for (const line of sequence) hear(typeof line === 'string' ? line.replaceAll('ID', String(id)) : line);
      const last = request();
      hear(`{"jsonrpc":"2.0","id":${last},"result":{}}`);
      link.end({ reason: 'gone' });
      expect(outcomes[0]).toHaveLength(1);
      // An error whose id is null may have failed it, once it was the only one.
      expect(outcomes[1]).toHaveLength(1);
      expect(outcomes[2]).toEqual(['response']);
    }),
    { numRuns: 300 },
  );
});

test('a long answer is wanted while its request is open, whatever else is long always', () => {
  const { link, request, hear } = open();
  const id = request();
  const begins = (text: string) => link.receiver.isWanted(Buffer.from(text));
  expect(begins(`{"jsonrpc":"2.0","id":${id},"result":{`)).toBe(true);
  hear(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  expect(begins(`{"jsonrpc":"2.0","id":${id},"result":{`)).toBe(false);
  expect(begins(`{"id":${id + 1},"error":{`)).toBe(false);
  expect(begins(`{"jsonrpc":"2.0","id":${id},"method":"sampling/createMessage","params":{`)).toBe(true);
  expect(begins('{"result":{')).toBe(true);
});

test('messages in a batch are heard one by one', () => {
  const { outcomes, request, hear, sent } = open();
  const [a, b] = [request(), request()];
  sent.length = 0;
  hear(
    `[{"jsonrpc":"2.0","id":${b},"result":{}},{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":${a},"result":{}}]`,
  );
  expect(outcomes).toEqual([['response'], ['response']]);
  expect(sent).toEqual(['{"jsonrpc":"2.0","id":9,"result":{}}']);
});

describe('a link that is retired', () => {
  const LIMIT = { idleMs: 60_000 };

  test('takes nothing new, hears the answers to what is open, and tells when there is nothing more', async () => {
    const { link, hear, sent } = open();
    const outcomes: string[] = [];
    const request = () =>
      link.send(
        { ...LIMIT, onResponse: () => outcomes.push('response'), onFailure: ({ code }) => outcomes.push(code) },
        (id) => `{"id":${id}}`,
      );
    const [first, second] = [request(), request()];
    let idle = 0;
    link.retire({ reason: 'its session has expired' }, () => idle++);
    expect(request()).toBe(-1);
    expect([outcomes, sent.length]).toEqual([['UPSTREAM_EXITED'], 2]);
    hear(`{"jsonrpc":"2.0","id":${first},"result":{}}`);
    await Promise.resolve();
    expect([outcomes.at(-1), idle]).toEqual(['response', 0]);
    hear(`{"jsonrpc":"2.0","id":${second},"result":{}}`);
    await Promise.resolve();
    expect([outcomes, idle]).toEqual([['UPSTREAM_EXITED', 'response', 'response'], 1]);
  });

  test('fails at once what has no limit, such as a stream of changes', () => {
    const { link } = open();
    const failures: string[] = [];
    const onFailure = ({ code }: { code: string }) => failures.push(code);
    link.send({ onResponse: () => undefined, onFailure }, (id) => `{"id":${id}}`);
    link.retire({ reason: 'its session has expired' }, () => undefined);
    expect(failures).toEqual(['UPSTREAM_EXITED']);
  });

  test('refuses what the upstream asks: whoever could answer belongs to the next one', () => {
    const { link, hear, sent, events } = open();
    link.send({ ...LIMIT, onResponse: () => undefined, onFailure: () => undefined }, (id) => `{"id":${id}}`);
    link.retire({ reason: 'its session has expired' }, () => undefined);
    hear('{"jsonrpc":"2.0","id":"q","method":"roots/list"}');
    expect(JSON.parse(sent.at(-1)!)).toMatchObject({ id: 'q', error: { code: -32603 } });
    expect(events).toEqual([]);
  });

  test('fails what is open when it ends for good', async () => {
    const { link } = open();
    const failures: string[] = [];
    let idle = 0;
    const onFailure = ({ message }: Error) => failures.push(message);
    link.send({ ...LIMIT, onResponse: () => undefined, onFailure }, (id) => `{"id":${id}}`);
    link.retire({ reason: 'its session has expired' }, () => idle++);
    link.end({ reason: 'its entry was removed' });
    await Promise.resolve();
    expect([failures, idle]).toEqual([['up: its entry was removed'], 1]);
  });
});

describe('what is sent without being waited for', () => {
  test('reaches the owner while the connection is the present one, and nobody once it ended', () => {
    const { link, hear, events, sent } = open();
    const tell = () => {
      hear('{"jsonrpc":"2.0","method":"notifications/message"}');
      hear('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
      hear('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    };
    tell();
    expect(events).toEqual(['notification notifications/message', 'ask roots/list', 'cancelled 1']);
    link.end({ reason: 'gone' });
    tell();
    expect([events.length, sent]).toEqual([3, []]);
  });

  test('counts as a sign of life', () => {
    const { link, hear } = open();
    const before = performance.now();
    expect(link.heardAt).toBe(0);
    hear('{"jsonrpc":"2.0","method":"notifications/message"}');
    expect(link.heardAt).toBeGreaterThanOrEqual(before);
  });
});

describe('a request that the peer refused unread because it has forgotten the session', () => {
  const refusal = { code: 'UPSTREAM_EXITED', reason: 'expired', effect: 'none', isUnheard: true } as const;

  test('may be sent on the next connection, and the link says that there will be one', () => {
    const { link } = open();
    const unheard: string[] = [];
    const onFailure = () => unheard.push('failed');
    const waiter = { onResponse: () => undefined, onFailure, onUnheard: () => unheard.push('unheard') };
    const id = link.send(waiter, () => '{}');
    expect(link.isExpired).toBe(false);
    link.receiver.onRequestFailed(id, refusal);
    link.receiver.onRequestFailed(id, refusal);
    expect([unheard, link.isExpired]).toEqual([['unheard'], true]);
  });

  test('fails where nobody knows of another connection', () => {
    const { link, request, outcomes } = open();
    link.receiver.onRequestFailed(request(), refusal);
    expect(outcomes).toEqual([['UPSTREAM_EXITED']]);
  });
});
