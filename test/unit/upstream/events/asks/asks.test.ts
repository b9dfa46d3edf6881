import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../../src/core/errors.ts';
import type { ClientAsk, ClientDirectory, ClientSession } from '../../../../../src/core/providers/provider.ts';
import type { Link } from '../../../../../src/upstream/connection/link.ts';
import { Asks } from '../../../../../src/upstream/events/asks/asks.ts';
import { CallTracker } from '../../../../../src/upstream/events/asks/call-tracker.ts';
import type { AskedCall } from '../../../../../src/upstream/events/asks/open-ask.ts';
import type { TaskAsk } from '../../../../../src/upstream/events/asks/task-ask.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../../src/wire/message.ts';
import { type Reply, resultReply } from '../../../../../src/wire/reply.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../../calls.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A client that keeps what it is asked, and fails at once where it cannot be asked. */
class AskedCaller extends KeepingCaller {
  readonly asked: ClientAsk[] = [];
  readonly withdrawn: string[] = [];
  failsWith: GatewayError | undefined;

  override ask(...[ask]: [ask?: ClientAsk]): (reason?: string) => void {
    if (this.failsWith === undefined) this.asked.push(ask!);
    else ask!.onFailure(this.failsWith);
    return (reason) => void this.withdrawn.push(reason!);
  }
}

function open({ maxWaiting = 10 } = {}) {
  const answers: string[] = [];
  const sessions = new Map<string, ClientSession>();
  let sole: ClientSession | undefined;
  const tracker = new CallTracker<AskedCall>();
  let ids = 0;
  const asks = new Asks({
    provider: { id: 'up', kind: 'upstream', workflow: undefined },
    directory: { get: (id) => sessions.get(id), sole: () => sole } as Partial<ClientDirectory> as ClientDirectory,
    tracker,
    elicitations: NO_ELICITATIONS,
    maxWaiting,
    onAsked: () => undefined,
    advice: () => 'Advice',
  });
  const link = {
    pending: { waiterOf: (id: number) => (id === 77 ? {} : undefined) },
    outbox: { answer: (id: string, reply: Reply) => answers.push(`${id} ${toBuffer(reply.withId(id)).toString()}`) },
  } as unknown as Link;
  asks.attach(link);
  /** A call of a client is open; its clock is `clock.paused` deep in pauses. */
  const call = (sessionId: string, tool = 't') => {
    const caller = new AskedCaller(sessionId);
    const clock = { paused: 0 };
    const made = {
      requestId: ++ids,
      sessionId,
      owner: sessionId,
      mayGoOn: false,
      call: callOf(tool, '{}', caller),
      pauseClock: () => void clock.paused++,
      resumeClock: () => void clock.paused--,
    };
    tracker.onSent(made, -1);
    const end = ({ isGivenUp = false } = {}) => {
      made.mayGoOn = isGivenUp;
      tracker.onSettled(made);
      asks.onCallSettled(made);
    };
    return { caller, clock, end };
  };
  const ask = (
    id = '1',
    { method = 'elicitation/create', task, of }: { method?: string; task?: TaskAsk; of?: number } = {},
  ) => {
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"x":1}}`;
    asks.onAsk(readMessage(Frame.of(Buffer.from(text))) as RequestMessage, task, of);
  };
  const session = (caller: AskedCaller): ClientSession => {
    const made = { sessionId: caller.sessionId, isListening: true, ask: (one: ClientAsk) => caller.ask(one) };
    sessions.set(caller.sessionId, made as Partial<ClientSession> as ClientSession);
    return sessions.get(caller.sessionId)!;
  };
  const setSole = (caller: AskedCaller) => {
    sole = session(caller);
  };
  return { asks, tracker, answers, call, ask, session, setSole };
}

const OVER = new GatewayError('CALL_CANCELLED', 'the call is over');

describe('a question while one client has calls open', () => {
  test('is given to it, its answer goes to the upstream, and the clock stands still between', () => {
    const { answers, call, ask } = open();
    const { caller, clock } = call('A');
    ask();
    expect([caller.asked.length, clock.paused]).toEqual([1, 1]);
    caller.asked[0]!.onAnswer(resultReply({ ok: true }));
    caller.asked[0]!.onAnswer(resultReply({ ok: false }));
    expect(answers).toEqual(['1 {"jsonrpc":"2.0","id":1,"result":{"ok":true}}']);
    expect(clock.paused).toBe(0);
  });

  test('is answered with an error when the client cannot be asked, and no clock stands still', () => {
    const { answers, call, ask } = open();
    const { caller, clock } = call('A');
    caller.failsWith = new GatewayError('CAPABILITY_MISSING', 'It cannot');
    ask();
    expect([answers.length, clock.paused]).toEqual([1, 0]);
    expect(answers[0]).toContain('It cannot');
  });

  test('is withdrawn from it when the upstream takes it back, or is gone', () => {
    const { asks, answers, call, ask } = open();
    const { caller, clock } = call('A');
    ask('1');
    ask('2');
    asks.onCancelled('1');
    expect([caller.withdrawn, clock.paused]).toEqual([['cancelled by the upstream'], 1]);
    asks.detach('gone');
    expect([caller.withdrawn[1], clock.paused, answers]).toEqual(['gone', 0, []]);
    caller.asked[1]!.onAnswer(resultReply({}));
    expect(answers).toEqual([]);
  });

  test('goes on to another call of it where the call that was asked is over', () => {
    const { call, ask } = open();
    const first = call('A');
    const second = call('A');
    ask();
    expect([first.caller.asked.length, second.caller.asked.length]).toEqual([0, 1]);
    second.end();
    second.caller.asked[0]!.onFailure(OVER);
    expect(first.caller.asked).toHaveLength(1);
    expect([first.clock.paused, second.clock.paused]).toEqual([1, 0]);
  });

  test('is given to the call of a tool that has asked before', () => {
    const { call, ask } = open();
    const usual = call('A', 'asks');
    ask('1');
    usual.caller.asked[0]!.onAnswer(resultReply({}));
    call('A', 'other');
    ask('2');
    expect(usual.caller.asked).toHaveLength(2);
  });

  test('goes to its own stream where it can be of several calls and the client listens', () => {
    const { call, ask, session } = open();
    const listening = new AskedCaller('A');
    session(listening);
    const calls = [call('A'), call('A')];
    ask();
    expect([listening.asked.length, ...calls.map(({ caller }) => caller.asked.length)]).toEqual([1, 0, 0]);
  });
});

describe('a question while several clients have calls open', () => {
  test('waits, and is given when only one is left', () => {
    const { answers, call, ask } = open();
    const a = call('A');
    const b = call('B');
    ask();
    expect([a.caller.asked, b.caller.asked, answers]).toEqual([[], [], []]);
    b.end();
    expect(a.caller.asked).toHaveLength(1);
    vi.advanceTimersByTime(60_000);
    expect(answers).toEqual([]);
  });

  test('is refused after half a minute', () => {
    const { answers, call, ask } = open();
    call('A');
    call('B');
    ask();
    vi.advanceTimersByTime(29_999);
    expect(answers).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(answers).toEqual([expect.stringContaining('it is not clear which client is asked. Advice')]);
  });

  test('is refused where one of them was given up, and may be the one', () => {
    const { answers, call, ask } = open();
    call('A');
    const b = call('B');
    ask();
    b.end({ isGivenUp: true });
    expect(answers).toEqual([expect.stringContaining('a call of another client was given up')]);
  });

  test('belongs to nobody when all of them are over', () => {
    const { answers, call, ask } = open();
    const calls = [call('A'), call('B')];
    ask();
    calls[1]!.end();
    calls[0]!.caller.asked[0]!.onFailure(new GatewayError('INTERNAL', 'no'));
    expect(answers).toHaveLength(1);
  });

  test('is given where the stream says whose it is', () => {
    const { call, ask } = open();
    const a = call('A');
    call('B');
    ask('1', { of: 1 });
    expect(a.caller.asked).toHaveLength(1);
  });
});

describe('a question without a call', () => {
  test('for roots goes to the client that is alone', () => {
    const { asks, ask, setSole, answers } = open();
    const only = new AskedCaller('A');
    setSole(only);
    ask('1', { method: 'roots/list' });
    expect([only.asked.length, asks.rootsMissed, answers]).toEqual([1, false, []]);
  });

  test('for roots is answered with none, which is remembered until the connection ends', () => {
    const { asks, ask, answers } = open();
    ask('1', { method: 'roots/list', of: 77 });
    expect([answers, asks.rootsMissed]).toEqual([['1 {"jsonrpc":"2.0","id":1,"result":{"roots":[]}}'], true]);
    asks.detach('gone');
    expect(asks.rootsMissed).toBe(false);
  });

  test('for anything else is refused', () => {
    const { ask, answers } = open();
    ask();
    expect(answers).toEqual([expect.stringContaining('no call of a client is open')]);
  });

  test('of a task goes to the client whose task it is', () => {
    const { ask, session, answers } = open();
    const owner = new AskedCaller('A');
    const taskOf = (sessionId: string): TaskAsk => ({
      ownId: 'x',
      sessionId,
      message: readMessage(Frame.of(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"m"}'))) as RequestMessage,
      toOwn: () => resultReply({ own: true }),
    });
    session(owner);
    ask('1', { task: taskOf('A') });
    owner.asked[0]!.onAnswer(resultReply({}));
    ask('2', { task: taskOf('gone') });
    expect(answers).toEqual([
      '1 {"jsonrpc":"2.0","id":1,"result":{"own":true}}',
      expect.stringContaining('the client whose task it is has gone'),
    ]);
  });
});

describe('too much', () => {
  test('of what waits for clients is refused, unless the same call waits already', () => {
    const { call, ask, answers } = open({ maxWaiting: 1 });
    const a = call('A');
    ask('1', { of: 1 });
    ask('2', { of: 1 });
    expect([a.caller.asked.length, answers]).toEqual([2, []]);
    call('A');
    ask('3', { of: 2 });
    expect(answers).toEqual([expect.stringContaining('1 calls of \\"up\\" wait for their clients already')]);
  });

  test('an id that is in use, and the sixty-fifth question, are refused', () => {
    const { call, ask, answers } = open();
    call('A');
    ask('1');
    ask('1');
    expect(answers).toEqual([expect.stringContaining('the id 1 is in use')]);
    for (let id = 2; id <= 64; id++) ask(String(id));
    expect(answers).toHaveLength(1);
    ask('65');
    expect(answers[1]).toContain('64 requests of this server wait for an answer already');
  });
});
