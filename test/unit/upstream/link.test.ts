import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';
import { Link } from '../../../src/upstream/link.ts';
import { PeerFaults } from '../../../src/upstream/peer-faults.ts';
import type { Transport } from '../../../src/upstream/transports/transport.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { lastMember } from '../../../src/wire/lens.ts';
import { metaIn, paramsOf } from '../../../src/wire/message.ts';
import { NewlineFramer } from '../../../src/wire/newline-framer.ts';
import { MAX_PARTS } from '../../../src/wire/scanner.ts';
import { nearlyJsonLines } from '../wire/arbitraries.ts';

/** A link whose peer is this test: what it sent, and what became of its requests. */
function open(frameBytes = 100_000) {
  const sent: string[] = [];
  const transport: Transport = {
    pid: undefined,
    queuedBytes: 0,
    send: (bytes) => sent.push(toBuffer(bytes).toString()),
    close: () => Promise.resolve(),
  };
  const events: string[] = [];
  const faults = new PeerFaults(createLog({ level: 'silent' }), (text) => text);
  const link = new Link(
    'up',
    transport,
    {
      onAsk: (message) => {
        metaIn(message.frame, paramsOf(message));
        events.push(`ask ${message.method}`);
      },
      onAskCancelled: (id) => events.push(`cancelled ${id}`),
      onNotification: (message) => {
        metaIn(message.frame, paramsOf(message));
        events.push(`notification ${message.method}`);
      },
      onLateProgress: (id) => {
        events.push(`late progress ${id}`);
        return false;
      },
      onHung: (reason) => events.push(`hung ${reason}`),
    },
    faults,
  );
  const outcomes: string[][] = [];
  const request = (): number => {
    const outcome: string[] = [];
    outcomes.push(outcome);
    return link.send(
      {
        onResponse: ({ frame, result }) => {
          const meta = result && lastMember(frame.membersOf(result), '_meta');
          if (meta !== undefined) frame.membersOf(meta);
          outcome.push('response');
        },
        onFailure: ({ code }) => outcome.push(code),
        onProgress: () => undefined,
        totalMs: 60_000,
      },
      (id) => `{"id":${id}}`,
    );
  };
  const framer = new NewlineFramer(link, frameBytes);
  const hear = (line: string | Buffer) => framer.push(Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]));
  return { link, sent, events, faults, outcomes, request, hear };
}

test('a message whose inner parts are too many to be read harms no other one', () => {
  const { link, sent, faults, outcomes, request, hear } = open(1_000_000);
  const meta = `"_meta":{${'"":0,'.repeat(MAX_PARTS)}"progressToken":1}`;
  const id = request();
  hear(`{"jsonrpc":"2.0","method":"notifications/look","params":{${meta}}}`);
  hear(`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{${meta}}}`);
  hear(`{"jsonrpc":"2.0","id":${id},"result":{${meta}}}`);
  expect(sent.at(-1)).toMatch(/^{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid request: more than /);
  expect(outcomes).toEqual([['UPSTREAM_INVALID_ANSWER']]);
  expect(faults.counts()).toMatchObject({ noise: 2, unknownIds: 0 });
  link.end({ reason: 'over' });
});

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
  link.onRequestFailed(id, {
    code: 'UPSTREAM_REFUSED',
    reason: 'it refuses us (HTTP 403)',
    effect: 'none',
    status: 403,
  });
  link.onRequestFailed(id, { code: 'UPSTREAM_EXITED', reason: 'it is gone', effect: 'unknown' });
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
  const begins = (text: string) => link.isWanted(Buffer.from(text));
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
