import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClientFacts } from '../../../../src/core/providers/provider.ts';
import { OutgoingCall } from '../../../../src/upstream/calls/outgoing-call.ts';
import type { Frame } from '../../../../src/wire/frame.ts';
import { errorReply } from '../../../../src/wire/reply.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { openLink } from './links.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

class EraCaller extends KeepingCaller {
  override readonly client: ClientFacts;
  readonly progress: string[] = [];

  constructor(era: 'legacy' | 'modern') {
    super('A');
    this.client = { ...new KeepingCaller('A').client, era };
  }

  override onProgress(...[frame]: [frame?: Frame]): void {
    this.progress.push(frame!.text.toString());
  }
}

function open({
  client = 'legacy',
  server = 'legacy',
}: {
  client?: 'legacy' | 'modern';
  server?: 'legacy' | 'modern';
} = {}) {
  const caller = new EraCaller(client);
  const events: string[] = [];
  let readTools = () => Promise.resolve();
  const call = new OutgoingCall(callOf('t', '{}', caller), entryOf({}).timeouts, {
    upstream: 'up',
    elicitations: NO_ELICITATIONS,
    onSent: () => events.push('sent'),
    onSettled: () => events.push('settled'),
    onReturned: () => events.push('returned'),
    lastWords: () => 'It said: out of memory',
    readTools: () => readTools(),
    publicReply: (_call, reply) => reply,
  });
  const peer = openLink(server);
  call.send(peer.link);
  return {
    call,
    caller,
    events,
    ...peer,
    answer: (message: object) => peer.hear({ id: call.requestId, ...message }),
    setReadTools: (read: () => Promise<void>) => {
      readTools = read;
    },
    outcomes: () => [
      ...caller.replies.map(({ outcome }) => outcome),
      ...caller.failures.map(({ code, message }) => `${code} ${message}`),
    ],
  };
}

describe('a call settles once', () => {
  test('with its answer', () => {
    const { call, events, answer, outcomes } = open();
    answer({ result: {} });
    call.cancel();
    call.answer(errorReply({ code: 1, message: 'late' }));
    expect([outcomes(), events]).toEqual([['result'], ['sent', 'settled']]);
    expect([call.isSettled, call.mayGoOn]).toEqual([true, false]);
  });

  test('cancelled: the upstream is told and may go on with it', () => {
    const { call, events, methods, outcomes } = open();
    expect(call.mayGoOn).toBe(true);
    call.cancel();
    call.cancel();
    expect([outcomes(), events, methods()]).toEqual([
      [],
      ['sent', 'settled'],
      ['tools/call', 'notifications/cancelled'],
    ]);
    expect(call.mayGoOn).toBe(true);
  });

  test('with the last words of an upstream that has gone', () => {
    const { link, call, outcomes } = open();
    link.end({ reason: 'process exited' });
    expect(outcomes()).toEqual([
      expect.stringMatching(/^UPSTREAM_EXITED .*process exited.*\. It said: out of memory$/),
    ]);
    expect(call.mayGoOn).toBe(true);
  });

  test('with an error about an answer that is none: then the upstream has done with it', () => {
    const { call, answer, outcomes } = open();
    answer({ result: {}, error: { code: 1, message: 'both' } });
    expect(outcomes()).toEqual([expect.stringMatching(/^UPSTREAM_INVALID_ANSWER up: invalid answer/)]);
    expect(call.mayGoOn).toBe(false);
  });
});

test('a call that is unheard is given back once, and fails the second time', () => {
  const { call, link, events, outcomes } = open();
  const unheard = { code: 'UPSTREAM_EXITED', reason: 'expired', effect: 'none', isUnheard: true } as const;
  link.receiver.onRequestFailed(call.requestId, unheard);
  expect([events, call.isSent, outcomes()]).toEqual([['sent', 'returned'], false, []]);
  const again = openLink();
  call.send(again.link);
  again.link.receiver.onRequestFailed(call.requestId, unheard);
  expect(events).toEqual(['sent', 'returned', 'sent', 'settled']);
  expect(outcomes()).toEqual([expect.stringContaining('UPSTREAM_EXITED')]);
});

test('of much progress the newest arrives, the last one before the answer', () => {
  const { call, caller, hear, answer } = open();
  for (let count = 0; count < 100; count++)
    hear({ method: 'notifications/progress', params: { progressToken: call.requestId, progress: count } });
  expect(caller.progress).toHaveLength(20);
  answer({ result: {} });
  expect(caller.progress).toHaveLength(21);
  expect(caller.progress.at(-1)).toContain('"progress":99');
  vi.advanceTimersByTime(1_000);
  expect(caller.progress).toHaveLength(21);
});

describe('what a modern server answers', () => {
  const MISMATCH = { error: { code: -32020, message: 'headers' } };

  test.each(['legacy', 'modern'] as const)('to a %s client, complete: is passed on', (client) => {
    const { answer, outcomes } = open({ client, server: 'modern' });
    answer({ result: { resultType: 'complete', content: [] } });
    expect(outcomes()).toEqual(['result']);
  });

  test('to a legacy client, of another type: is an error', () => {
    const { answer, outcomes } = open({ server: 'modern' });
    answer({ result: { resultType: 'odd' } });
    expect(outcomes()).toEqual([
      'UPSTREAM_INVALID_ANSWER up: invalid answer: results of the type "odd" have no meaning here',
    ]);
  });

  test('to a modern client, of another type: is its own affair', () => {
    const { answer, outcomes } = open({ client: 'modern', server: 'modern' });
    answer({ result: { resultType: 'odd' } });
    expect(outcomes()).toEqual(['result']);
  });

  test('of its headers: the tools are read and the call is sent once more, and no third time', async () => {
    const { answer, methods, outcomes } = open({ server: 'modern' });
    answer(MISMATCH);
    expect(methods()).toEqual(['tools/call']);
    await vi.advanceTimersByTimeAsync(0);
    expect(methods()).toEqual(['tools/call', 'tools/call']);
    expect(outcomes()).toEqual([]);
    answer(MISMATCH);
    await vi.advanceTimersByTimeAsync(0);
    expect([methods().length, outcomes()]).toEqual([2, ['error']]);
  });

  test('of its headers: where the tools cannot be read, the client hears of it', async () => {
    const { answer, methods, setReadTools, outcomes } = open({ server: 'modern' });
    setReadTools(() => Promise.reject(new Error('no')));
    answer(MISMATCH);
    await vi.advanceTimersByTimeAsync(0);
    expect([methods().length, outcomes()]).toEqual([1, ['error']]);
  });

  test('of its headers: a call that is cancelled meanwhile is not sent again', async () => {
    const { call, answer, methods } = open({ server: 'modern' });
    answer(MISMATCH);
    call.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect(methods()).toEqual(['tools/call']);
  });

  test('of a capability that is missing: a legacy client hears which', () => {
    const { answer, outcomes } = open({ server: 'modern' });
    answer({ error: { code: -32021, message: 'x', data: { requiredCapabilities: { elicitation: { url: {} } } } } });
    expect(outcomes()).toEqual(['CAPABILITY_MISSING up: it needs a client that supports elicitation.url']);
  });

  test('of itself: any other error is passed on', () => {
    const { answer, outcomes } = open({ server: 'modern' });
    answer({ error: { code: -32603, message: 'no' } });
    expect(outcomes()).toEqual(['error']);
  });
});
