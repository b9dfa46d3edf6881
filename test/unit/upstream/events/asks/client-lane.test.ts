import { expect, test } from 'vitest';
import { ClientLane } from '../../../../../src/upstream/events/asks/client-lane.ts';

class Call {
  readonly sessionId: string;
  isAsked = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }
}

/** A lane and what has begun in it. */
function open(isOn = true) {
  const state = { isOn };
  const lane = new ClientLane<Call>(() => state.isOn);
  const begun: string[] = [];
  const call = (client: string, onStart?: (call: Call) => void): Call => {
    const made = new Call(client);
    const start = () => {
      begun.push(client);
      onStart?.(made);
    };
    if (lane.admits(made)) start();
    else lane.wait(made, start);
    return made;
  };
  const end = (made: Call) => lane.onSettled(made);
  return { state, begun, call, end };
}

test('clients take turns in the order in which they came', () => {
  const { begun, call, end } = open();
  const a = call('A');
  const b = call('B');
  call('C');
  expect(begun).toEqual(['A']);
  end(a);
  expect(begun).toEqual(['A', 'B']);
  end(b);
  expect(begun).toEqual(['A', 'B', 'C']);
});

test('calls of one client run side by side; the next client waits for all of them', () => {
  const { begun, call, end } = open();
  const [one, two] = [call('A'), call('A')];
  call('B');
  expect(begun).toEqual(['A', 'A']);
  end(one);
  expect(begun).toEqual(['A', 'A']);
  end(two);
  expect(begun).toEqual(['A', 'A', 'B']);
});

test('a busy client does not overtake those who wait', () => {
  const { begun, call, end } = open();
  const first = call('A');
  const other = call('B');
  call('A');
  end(first);
  expect(begun).toEqual(['A', 'B']);
  end(other);
  expect(begun).toEqual(['A', 'B', 'A']);
});

test('a client that is asked something may make another call first: it may need it for its answer', () => {
  const { begun, call } = open();
  call('A').isAsked = true;
  call('B');
  call('A');
  expect(begun).toEqual(['A', 'A']);
});

test('a call that was cancelled while it waited holds nobody up and never begins', () => {
  const { begun, call, end } = open();
  const a = call('A');
  end(call('B'));
  call('C');
  expect(begun).toEqual(['A']);
  end(a);
  expect(begun).toEqual(['A', 'C']);
});

test('calls that end when they begin let all that waits through', () => {
  const { begun, call, end } = open();
  const first = call('A');
  for (const client of ['B', 'C', 'D']) call(client, end);
  end(first);
  expect(begun).toEqual(['A', 'B', 'C', 'D']);
});

test('while it is off all run; once it is on, who comes waits for all that run', () => {
  const { state, begun, call, end } = open(false);
  const [a, b] = [call('A'), call('B')];
  expect(begun).toEqual(['A', 'B']);
  state.isOn = true;
  call('B');
  end(a);
  expect(begun).toEqual(['A', 'B', 'B']);
  end(b);
  call('A');
  expect(begun).toEqual(['A', 'B', 'B']);
});
