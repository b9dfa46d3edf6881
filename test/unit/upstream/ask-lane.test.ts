import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AskLane } from '../../../src/upstream/ask-lane.ts';
import type { OutgoingCall } from '../../../src/upstream/outgoing-call.ts';
import { outgoing } from './calls.ts';

/** As calls go through a lane: at once, or when it is their turn. */
function run(lane: AskLane, call: OutgoingCall, start: () => void): void {
  if (lane.admits(call)) start();
  else lane.wait(call, start);
}

/** A lane and what has begun in it; a call ends by being cancelled. */
function open() {
  const lane = new AskLane();
  const begun: string[] = [];
  const call = (tool: string, client: string): OutgoingCall => {
    const made = outgoing(tool, client, (settled) => lane.onSettled(settled));
    run(lane, made, () => begun.push(`${client} ${tool}`));
    return made;
  };
  /** The tool has asked its client something once before. */
  const hasAsked = (tool: string) => {
    const before = outgoing(tool, 'somebody', (settled) => lane.onSettled(settled));
    lane.remember(before, true);
    before.cancel();
  };
  return { lane, begun, call, hasAsked };
}

describe('calls of tools that ask', () => {
  test('by different clients run one after the other, in order', () => {
    const { begun, call, hasAsked } = open();
    hasAsked('login');
    const a = call('login', 'A');
    const b = call('login', 'B');
    call('login', 'C');
    expect(begun).toEqual(['A login']);
    a.cancel();
    expect(begun).toEqual(['A login', 'B login']);
    b.cancel();
    expect(begun).toEqual(['A login', 'B login', 'C login']);
  });

  test('by one client run side by side, and the next client waits for all of them', () => {
    const { begun, call, hasAsked } = open();
    hasAsked('login');
    const [one, two] = [call('login', 'A'), call('login', 'A')];
    call('login', 'B');
    expect(begun).toEqual(['A login', 'A login']);
    one.cancel();
    expect(begun).toHaveLength(2);
    two.cancel();
    expect(begun).toEqual(['A login', 'A login', 'B login']);
  });

  test('that come while another client waits go behind it, also those of the client whose call is open', () => {
    const { begun, call, hasAsked } = open();
    hasAsked('login');
    const first = call('login', 'A');
    const other = call('login', 'B');
    call('login', 'A');
    first.cancel();
    expect(begun).toEqual(['A login', 'B login']);
    other.cancel();
    expect(begun).toEqual(['A login', 'B login', 'A login']);
  });

  test('of several tools are one lane: a question does not say which tool it is of', () => {
    const { begun, call, hasAsked } = open();
    hasAsked('login');
    hasAsked('confirm');
    const a = call('login', 'A');
    call('confirm', 'B');
    expect(begun).toEqual(['A login']);
    a.cancel();
    expect(begun).toEqual(['A login', 'B confirm']);
  });

  test('that were cancelled while they waited hold nobody up and never begin', () => {
    const { begun, call, hasAsked } = open();
    hasAsked('login');
    const a = call('login', 'A');
    const b = call('login', 'B');
    call('login', 'C');
    b.cancel();
    expect(begun).toEqual(['A login']);
    a.cancel();
    expect(begun).toEqual(['A login', 'C login']);
  });

  test('a call that turns out to ask holds back the next client from then on', () => {
    const { lane, begun, call } = open();
    const a = call('login', 'A');
    call('login', 'B');
    expect(begun).toEqual(['A login', 'B login']);
    lane.remember(a, true);
    call('login', 'C');
    expect(begun).toHaveLength(2);
    a.cancel();
    expect(begun.at(-1)).toBe('C login');
  });

  test('work that ends at once lets all that waits through', () => {
    const lane = new AskLane();
    const begun: string[] = [];
    const first = outgoing('login', 'A', (settled) => lane.onSettled(settled));
    lane.remember(first, true);
    for (const client of ['B', 'C', 'D']) {
      const call = outgoing('login', client, (settled) => lane.onSettled(settled));
      run(lane, call, () => {
        begun.push(client);
        call.cancel();
      });
    }
    expect(begun).toEqual([]);
    first.cancel();
    expect(begun).toEqual(['B', 'C', 'D']);
  });
});

test('tools that never asked hold nobody up', () => {
  const { begun, call, hasAsked } = open();
  hasAsked('login');
  call('login', 'A');
  call('read', 'B');
  call('read', 'A');
  expect(begun).toEqual(['A login', 'B read', 'A read']);
});

describe('a call whose client has had a question for a while', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function asking() {
    const opened = open();
    opened.hasAsked('login');
    const a = opened.call('login', 'A');
    opened.lane.remember(a, true);
    a.pauseClock(true);
    opened.call('login', 'B');
    return { ...opened, a };
  }

  test('keeps nobody else waiting', () => {
    const { begun } = asking();
    vi.advanceTimersByTime(200);
    expect(begun).toEqual(['A login']);
    vi.advanceTimersByTime(100);
    expect(begun).toEqual(['A login', 'B login']);
  });

  test('has kept calls of others from beginning only while the question was new', () => {
    const { begun, call } = asking();
    call('harmless', 'C');
    call('harmless', 'A');
    expect(begun).toEqual(['A login', 'A harmless']);
    vi.advanceTimersByTime(300);
    expect(begun).toEqual(['A login', 'A harmless', 'B login', 'C harmless']);
    call('harmless', 'D');
    expect(begun.at(-1)).toBe('D harmless');
  });

  test('keeps nobody else waiting, though the question was on its way to the client for a while', () => {
    const { begun, call, hasAsked, lane } = open();
    hasAsked('login');
    const a = call('login', 'A');
    lane.remember(a, true);
    vi.advanceTimersByTime(100);
    a.pauseClock(true);
    call('login', 'B');
    call('harmless', 'C');
    vi.advanceTimersByTime(200);
    expect(begun).toEqual(['A login']);
    vi.advanceTimersByTime(100);
    expect(begun).toEqual(['A login', 'B login', 'C harmless']);
  });

  test('is of interest again once the client has answered', () => {
    const { lane, a } = asking();
    vi.advanceTimersByTime(2_000);
    expect(lane.isAsleep(a)).toBe(true);
    a.resumeClock(true);
    expect(lane.isAsleep(a)).toBe(false);
  });

  test('may still ask more, where its tool has asked several things at once before', () => {
    const { begun, lane, a } = asking();
    lane.remember(a, true);
    vi.advanceTimersByTime(60_000);
    expect(lane.isAsleep(a)).toBe(false);
    expect(begun).toEqual(['A login']);
  });
});
