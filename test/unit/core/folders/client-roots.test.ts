import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { ClientRoots } from '../../../../src/core/folders/client-roots.ts';
import type { Caller, ClientAsk, Era } from '../../../../src/core/providers/provider.ts';
import { jsonBytes } from '../../../../src/wire/bytes.ts';
import { errorReply, type Reply, resultReply } from '../../../../src/wire/reply.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOME = ['/home/alice'];
const rootsReply = (folders: readonly string[]): Reply =>
  resultReply({ roots: folders.map((folder) => ({ uri: `file://${folder}` })) });

interface AskedQuestion extends ClientAsk {
  withdrawn?: string;
}

/** A client with roots, and the questions that it got so far. */
function client(era: Era = 'legacy', capabilities: object = { roots: {} }) {
  const asked: AskedQuestion[] = [];
  const caller = {
    sessionId: 'session',
    client: { era, capabilities: jsonBytes(capabilities) },
    ask(ask: ClientAsk) {
      const question: AskedQuestion = { ...ask };
      asked.push(question);
      return (reason: string) => {
        question.withdrawn = reason;
      };
    },
  } as unknown as Caller;
  return { asked, caller };
}

const call = () => new AbortController();

describe('the roots of a legacy client', () => {
  test('are asked for once, for all calls, and kept', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const both = Promise.all([roots.of(caller, call().signal), roots.of(caller, call().signal)]);
    asked[0]!.onAnswer(rootsReply(HOME));
    expect(await both).toEqual([HOME, HOME]);
    expect(await roots.of(caller, call().signal)).toEqual(HOME);
    expect(asked).toHaveLength(1);
  });

  test('reach the second call when the first one is cancelled, which goes no further', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const first = call();
    const cancelled = roots.of(caller, first.signal);
    const second = roots.of(caller, call().signal);
    first.abort();
    await expect(cancelled).rejects.toThrow('aborted');
    expect(asked[0]!.withdrawn).toBeUndefined();
    asked[0]!.onAnswer(rootsReply(HOME));
    expect(await second).toEqual(HOME);
    expect(asked).toHaveLength(1);
  });

  test('are kept although the only call that asked for them was cancelled', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const only = call();
    const cancelled = roots.of(caller, only.signal);
    only.abort();
    await expect(cancelled).rejects.toThrow('aborted');
    asked[0]!.onAnswer(rootsReply(HOME));
    expect(await roots.of(caller, call().signal)).toEqual(HOME);
    expect(asked).toHaveLength(1);
  });

  test('are not told to a call that was cancelled before', async () => {
    const { asked, caller } = client();
    await expect(new ClientRoots().of(caller, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(asked).toEqual([]);
  });

  test('delay no call for longer than 3 s, and count from when they come', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const first = roots.of(caller, call().signal);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await first).toEqual([]);
    expect(await roots.of(caller, call().signal)).toEqual([]);
    asked[0]!.onAnswer(rootsReply(HOME));
    await vi.advanceTimersByTimeAsync(0);
    expect(await roots.of(caller, call().signal)).toEqual(HOME);
    expect(asked).toHaveLength(1);
  });

  test('are asked for again when there was no answer for 30 s', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    void roots.of(caller, call().signal);
    await vi.advanceTimersByTimeAsync(30_000);
    const later = roots.of(caller, call().signal);
    expect(asked.map(({ withdrawn }) => withdrawn)).toEqual(['the call was cancelled', undefined]);
    asked[1]!.onAnswer(rootsReply(HOME));
    expect(await later).toEqual(HOME);
  });

  test.each([
    ['refuses', (ask: ClientAsk) => ask.onAnswer(errorReply({ code: -32603, message: 'not now' }))],
    ['cannot be asked', (ask: ClientAsk) => ask.onFailure(new GatewayError('CAPABILITY_MISSING', 'no'))],
    ['answers with broken JSON', (ask: ClientAsk) => ask.onAnswer(broken())],
  ])('are none where it %s, until it is asked again', async (_what, fail) => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const first = roots.of(caller, call().signal);
    fail(asked[0]!);
    expect(await first).toEqual([]);
    const second = roots.of(caller, call().signal);
    asked[1]!.onAnswer(rootsReply(HOME));
    expect(await second).toEqual(HOME);
  });

  test('that changed while they were asked for are asked for again', async () => {
    const { asked, caller } = client();
    const roots = new ClientRoots();
    const before = roots.of(caller, call().signal);
    roots.forget('session');
    const after = roots.of(caller, call().signal);
    asked[0]!.onAnswer(rootsReply(['/old']));
    asked[1]!.onAnswer(rootsReply(HOME));
    expect(await before).toEqual(['/old']);
    expect(await after).toEqual(HOME);
    expect(await roots.of(caller, call().signal)).toEqual(HOME);
  });
});

describe('the roots of a modern client', () => {
  test('are asked for with each call', async () => {
    const { asked, caller } = client('modern');
    const roots = new ClientRoots();
    const first = roots.of(caller, call().signal);
    const second = roots.of(caller, call().signal);
    asked[0]!.onAnswer(rootsReply(['/a']));
    asked[1]!.onAnswer(rootsReply(['/b']));
    expect(await Promise.all([first, second])).toEqual([['/a'], ['/b']]);
  });

  test('stop a call that was cancelled, however the question ends', async () => {
    const { asked, caller } = client('modern');
    const only = call();
    const cancelled = new ClientRoots().of(caller, only.signal);
    only.abort();
    asked[0]!.onFailure(new GatewayError('CALL_CANCELLED', 'The call has ended'));
    await expect(cancelled).rejects.toThrow('aborted');
  });
});

test('a client that declares no roots is not asked', async () => {
  const { asked, caller } = client('legacy', {});
  expect(await new ClientRoots().of(caller, call().signal)).toEqual([]);
  expect(asked).toEqual([]);
});

/** A string with a bad escape far behind its beginning: it is found only when the string is read. */
function broken(): Reply {
  return {
    outcome: 'result',
    withId: (id) => `{"jsonrpc":"2.0","id":${id},"result":{"roots":[],"x":"${'a'.repeat(10_000)}\\q"}}`,
  } as Reply;
}

test.each(['legacy', 'modern'] as const)('of a %s client with too many roots the first 100 are used', async (era) => {
  const { asked, caller } = client(era);
  const told: string[] = [];
  const folders = Array.from({ length: 150 }, (_, index) => `/f/${index}`);
  const used = new ClientRoots((reason) => told.push(reason)).of(caller, call().signal);
  asked[0]!.onAnswer(rootsReply([`/${'x'.repeat(20_000)}`, ...folders]));
  expect(await used).toEqual(folders.slice(0, 99));
  expect(told).toEqual([expect.stringContaining('52 roots of the client session are ignored: only the first 100')]);
});
