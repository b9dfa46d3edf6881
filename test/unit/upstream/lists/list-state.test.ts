import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIRST_PAUSE_MS,
  isOut,
  isSettled,
  type ListEvent,
  type ListRules,
  type ListState,
  listStep,
  MAX_RETRY_AFTER_MS,
  UNREAD,
} from '../../../../src/upstream/lists/list-state.ts';

const RULES: ListRules = { maxPauseMs: 30_000, asksUser: false };
const SILENT_AFTER_MS = 15_000;

const turn: ListEvent = { name: 'turn' };
const answered: ListEvent = { name: 'answered' };
const absent: ListEvent = { name: 'absent' };
const byHand: ListEvent = { name: 'wanted', by: 'hand' };
const byChange: ListEvent = { name: 'wanted', by: 'change' };
const byCall: ListEvent = { name: 'wanted', by: 'call' };
const failed: ListEvent = { name: 'failed', problem: 'it failed' };
const overdue: ListEvent = { name: 'overdue', problem: 'it is silent' };
const closed: ListEvent = { name: 'closed' };
const lostAlone: ListEvent = { name: 'lost', problem: 'it ended', isAlone: true };
const lostAmongOthers: ListEvent = { name: 'lost', problem: 'it ended', isAlone: false };
const due = (is: { isHeard?: boolean; isQuiet?: boolean } = {}): ListEvent => ({
  name: 'due',
  isHeard: is.isHeard === true,
  isQuiet: is.isQuiet !== false,
});

/** Runs events, each so many milliseconds after the one before; gives the state and when the list was asked for. */
function run(events: readonly (ListEvent | number)[], rules = RULES, from: ListState = UNREAD) {
  let now = 0;
  let state = from;
  const asked: number[] = [];
  for (const event of events) {
    if (typeof event === 'number') {
      now += event;
      continue;
    }
    const step = listStep(state, event, { now, rules });
    state = step.state;
    if (step.ask) asked.push(now);
  }
  return { state, asked, now };
}

describe('a list that is answered', () => {
  test('is asked for once, and not again by itself', () => {
    const { state, asked } = run([turn, turn, 10, answered]);
    expect(asked).toEqual([0]);
    expect(state).toMatchObject({ phase: 'read', isKnown: true, failures: 0 });
    expect(state.dueAt).toBeUndefined();
    expect(run([due(), byCall], RULES, state).asked).toEqual([]);
  });

  test.each([
    [undefined, undefined],
    [0, undefined],
    [1, 60_000],
    [90_000, 90_000],
    [1e12, 24 * 3_600_000],
  ])('and good for %s ms, is read again after %s ms', (goodForMs, waitMs) => {
    const { state } = run([turn, { name: 'answered', goodForMs }]);
    expect(state.dueAt).toBe(waitMs);
    expect(run([due({ isQuiet: false })], RULES, state).asked).toHaveLength(waitMs === undefined ? 0 : 1);
  });

  test.each([
    ['hand', byHand],
    ['change', byChange],
  ])('and wanted by %s while it is read, is read once more after that, however often it was wanted', (_by, wanted) => {
    const { asked, state } = run([turn, 5, wanted, wanted, 5, answered, 5, answered]);
    expect(asked).toEqual([0, 10]);
    expect(state.phase).toBe('read');
  });
});

describe('a list that its server does not have', () => {
  test('is not asked for again, by nothing but a person or a notice of a change', () => {
    const { state } = run([turn, absent]);
    expect(state).toMatchObject({ phase: 'absent', isKnown: true });
    expect(run([100_000, due(), byCall], RULES, state).asked).toEqual([]);
    expect(run([byChange], RULES, state).asked).toHaveLength(1);
    expect(run([byHand], RULES, state).asked).toHaveLength(1);
  });
});

describe('a list that fails', () => {
  test('is asked for again after growing pauses, up to the longest', () => {
    let { state } = run([turn, failed]);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      pauses.push(state.dueAt!);
      state = run([due(), failed], RULES, { ...state, dueAt: 0 }).state;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000));
  });

  test('says why until it is there, also while it is asked for again', () => {
    const { state } = run([turn, failed, due()]);
    expect(state).toMatchObject({ phase: 'reading', problem: 'it failed' });
    expect(run([answered], RULES, state).state).toMatchObject({ problem: undefined, failures: 0 });
  });

  test('is asked for by hand, by a notice, and by a call of a tool that is not listed, at once', () => {
    const { state } = run([turn, failed]);
    for (const wanted of [byHand, byChange, byCall])
      expect(run([FIRST_PAUSE_MS, wanted], RULES, state).asked).toHaveLength(1);
  });

  test('is not asked for by each of many calls', () => {
    expect(run([turn, failed, byCall, 500, byCall, 500, byCall, failed, 1, byCall]).asked).toEqual([0, 1_000]);
  });

  test('is left alone for as long as its server said, but for a person', () => {
    const { state, asked } = run([turn, { ...failed, retryAfterMs: 90_000 }, 5_000, byChange, byCall]);
    expect(asked).toEqual([0]);
    expect(state.dueAt).toBe(90_000);
    expect(run([byHand], RULES, state).asked).toHaveLength(1);
    expect(run([due()], RULES, state).asked).toHaveLength(1);
    // Another connection to the same server changes nothing about that.
    expect(run([closed, turn], RULES, state)).toMatchObject({ asked: [], state: { dueAt: 90_000, isKnown: false } });
  });

  test('is asked for after five minutes, whatever its server said', () => {
    expect(run([turn, { ...failed, retryAfterMs: 86_400_000 }]).state.dueAt).toBe(MAX_RETRY_AFTER_MS);
  });

  test('counts as known where this connection has read it before', () => {
    expect(run([turn, answered, byChange, failed]).state).toMatchObject({ phase: 'failed', isKnown: true });
    expect(run([turn, answered, closed]).state).toMatchObject({ phase: 'unread', isKnown: false });
  });
});

describe('a list that is not answered', () => {
  test('is asked for again once its answer is overdue, in growing intervals that begin with the question', () => {
    const events = Array.from({ length: 7 }, () => [SILENT_AFTER_MS, overdue]).flat();
    let { state, now } = run([turn]);
    const intervals: number[] = [];
    for (let attempt = 0; attempt < events.length / 2; attempt++) {
      const silent = listStep(state, overdue, { now: now + SILENT_AFTER_MS, rules: RULES }).state;
      intervals.push(silent.dueAt! - state.askedAt);
      now = silent.dueAt!;
      state = listStep(silent, due(), { now, rules: RULES }).state;
    }
    expect(intervals).toEqual([16, 16, 16, 16, 16, 30, 30].map((seconds) => seconds * 1_000));
  });

  test('is taken whenever it comes', () => {
    const { state } = run([turn, SILENT_AFTER_MS, overdue]);
    expect(run([answered], RULES, state).state).toMatchObject({ phase: 'read', problem: undefined });
    const { state: again } = run([due()], RULES, state);
    expect(run([answered], RULES, again).state.phase).toBe('read');
  });

  test('and wanted meanwhile, is asked for as soon as it is overdue', () => {
    expect(run([turn, 5, byHand, SILENT_AFTER_MS, overdue]).asked).toEqual([0, SILENT_AFTER_MS + 5]);
  });

  test('fails for good reason, once it fails: its silence is not counted twice', () => {
    const { state } = run([turn, SILENT_AFTER_MS, overdue, failed]);
    expect(state).toMatchObject({ phase: 'failed', failures: 1, problem: 'it failed' });
  });

  describe('because its server asks its user', () => {
    const PATIENT: ListRules = { ...RULES, asksUser: true };
    const { state } = run([turn, SILENT_AFTER_MS, overdue], PATIENT);

    test('is not asked for again by itself, nor by a call', () => {
      expect(run([60_000, due(), 60_000, due(), byCall], PATIENT, state).asked).toEqual([]);
    });

    test('is asked for after a sign of life, by hand, and after a notice', () => {
      expect(run([due({ isHeard: true })], PATIENT, state).asked).toHaveLength(1);
      expect(run([byHand], PATIENT, state).asked).toHaveLength(1);
      expect(run([byChange], PATIENT, state).asked).toHaveLength(1);
    });

    test('is asked for again by itself where it has failed', () => {
      const broken = run([turn, failed], PATIENT).state;
      expect(run([due()], PATIENT, broken).asked).toHaveLength(1);
    });
  });
});

describe('a list during which the connection ends', () => {
  test('is asked for at once on the next one, the first time', () => {
    const { state } = run([turn, lostAlone]);
    expect(state).toMatchObject({ phase: 'unread', losses: 1 });
    expect(run([turn], RULES, state).asked).toHaveLength(1);
  });

  test('comes after growing pauses from the second time on, and says why', () => {
    const second = run([turn, lostAlone, turn, lostAlone]).state;
    expect(second).toMatchObject({ phase: 'failed', problem: 'it ended', dueAt: 1_000, losses: 2 });
    expect(run([due(), lostAlone], RULES, second).state.dueAt).toBe(2_000);
  });

  test('keeps its pause where another list ends the connection meanwhile', () => {
    const { state } = run([turn, lostAlone, turn, lostAlone]);
    expect(run([500, lostAlone, turn], RULES, state)).toMatchObject({ asked: [], state: { dueAt: 1_000 } });
    expect(run([500, closed, turn], RULES, state).asked).toEqual([]);
  });

  test('waits until nothing else is going on', () => {
    const { state } = run([turn, lostAlone, turn, lostAlone, 1_000]);
    expect(run([due({ isQuiet: false })], RULES, state).asked).toEqual([]);
    expect(run([due({ isQuiet: false }), due()], RULES, state).asked).toHaveLength(1);
  });

  test('is a suspect, and no more, where others were asked for too', () => {
    const { state } = run([turn, lostAmongOthers, turn, lostAmongOthers, turn, lostAmongOthers]);
    expect(state).toMatchObject({ phase: 'unread', losses: 1 });
  });

  test('is none of those that end connections once it was answered, or has failed in any other way', () => {
    expect(run([turn, lostAlone, turn, answered]).state.losses).toBe(0);
    expect(run([turn, lostAlone, turn, failed]).state.losses).toBe(0);
  });

  test('has nothing to do with it where it was not asked for, or long ago', () => {
    expect(run([turn, answered, lostAlone]).state.losses).toBe(0);
    expect(run([turn, SILENT_AFTER_MS, overdue, lostAlone]).state.losses).toBe(0);
  });
});

const anyEvent: fc.Arbitrary<ListEvent> = fc.oneof(
  fc.constantFrom(
    turn,
    answered,
    absent,
    byHand,
    byChange,
    byCall,
    failed,
    overdue,
    closed,
    lostAlone,
    lostAmongOthers,
  ),
  fc.record({ name: fc.constant('due' as const), isHeard: fc.boolean(), isQuiet: fc.boolean() }),
  fc.nat(1_000_000).map((retryAfterMs): ListEvent => ({ ...failed, retryAfterMs })),
);

test('whatever happens: what failed or is silent has a time to be asked for again, and no question goes out twice', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40_000), anyEvent), { maxLength: 60 }), fc.boolean(), (events, asksUser) => {
      const rules = { ...RULES, asksUser };
      let state = UNREAD;
      let now = 0;
      for (const [ms, event] of events) {
        now += ms;
        const step = listStep(state, event, { now, rules });
        if (step.ask) expect(step.state).toMatchObject({ phase: 'reading', askedAt: now, isWanted: false });
        if (state.phase === 'reading' && event.name === 'wanted') expect(step.ask).toBe(false);
        state = step.state;
        if (state.phase !== 'failed' && state.phase !== 'silent') continue;
        expect(state.problem).toBeDefined();
        expect(state.dueAt! - now).toBeLessThanOrEqual(state.isHeldOff ? MAX_RETRY_AFTER_MS : RULES.maxPauseMs);
      }
    }),
  );
});

/** The states of a list, each as the events bring it about, at the time 100,000. */
const PHASES = {
  unread: [],
  reading: [turn],
  silent: [turn, SILENT_AFTER_MS, overdue],
  read: [turn, answered],
  absent: [turn, absent],
  failed: [turn, failed],
  'held off': [turn, { ...failed, retryAfterMs: 200_000 }],
} as const satisfies Record<string, readonly (ListEvent | number)[]>;

type Phase = keyof typeof PHASES;

describe('a list that is wanted', () => {
  const asked = 'is asked for';
  const wanted = 'is asked for once more after its answer';
  const nothing = 'is left as it is';

  test.each<[Phase, string, string, string, string]>([
    ['unread', asked, nothing, nothing, nothing],
    ['reading', wanted, wanted, nothing, nothing],
    ['silent', asked, asked, asked, nothing],
    ['read', asked, asked, nothing, nothing],
    ['absent', asked, asked, nothing, nothing],
    ['failed', asked, asked, asked, asked],
    ['held off', asked, nothing, nothing, nothing],
  ])(
    '%s: %s by hand, %s after a change, %s by a call, %s by a call that a user would be asked for',
    (phase, ...after) => {
      const outcomes = ([byHand, byChange, byCall, byCall] as const).map((event, index) => {
        const rules = { ...RULES, asksUser: index === 3 };
        const { state } = run(PHASES[phase], rules);
        const step = listStep(state, event, { now: 100_000, rules });
        if (step.ask) return asked;
        return step.state === state ? nothing : step.state.isWanted ? wanted : 'is changed';
      });
      expect(outcomes).toEqual(after);
    },
  );
});

test.each<[Phase, boolean, boolean]>([
  ['unread', false, false],
  ['reading', true, false],
  ['silent', true, true],
  ['read', false, true],
  ['absent', false, true],
  ['failed', false, true],
])('%s: a question is out: %s; the connection has said all that it will say for now: %s', (phase, out, settled) => {
  const { state } = run(PHASES[phase]);
  expect([isOut(state), isSettled(state)]).toEqual([out, settled]);
});

test.each([
  [undefined, false],
  [0, false],
  [1, true],
])('a server that says to come back after %s ms holds its list off: %s', (retryAfterMs, isHeldOff) => {
  expect(run([turn, { ...failed, retryAfterMs }]).state.isHeldOff).toBe(isHeldOff);
});

test.each(Object.keys(PHASES).filter((phase) => phase !== 'reading') as Phase[])(
  'nothing is overdue where no question is out: %s',
  (phase) => {
    const { state } = run(PHASES[phase]);
    expect(listStep(state, overdue, { now: 100_000, rules: RULES })).toEqual({ state, ask: false });
  },
);

describe('the next connection', () => {
  test.each<Phase>(['unread', 'reading', 'silent', 'read', 'absent', 'failed'])(
    'asks at once for a list that was %s',
    (phase) => {
      const { state } = run([...PHASES[phase], closed]);
      expect([state.phase, state.dueAt, state.failures]).toEqual(['unread', undefined, 0]);
    },
  );

  test('asks in time only for a list that was held off', () => {
    const { state } = run([...PHASES['held off'], closed]);
    expect([state.phase, state.dueAt, state.isKnown]).toEqual(['failed', 200_000, false]);
  });

  test('asks in time only for a list that has ended two connections', () => {
    const { state } = run([turn, lostAlone, turn, lostAlone, closed]);
    expect([state.phase, state.losses, state.dueAt]).toEqual(['failed', 2, FIRST_PAUSE_MS]);
  });

  test('asks at once for a list that has ended two connections, and is being asked for again', () => {
    const { state } = run([turn, lostAlone, turn, lostAlone, FIRST_PAUSE_MS, due(), closed]);
    expect([state.phase, state.losses]).toEqual(['unread', 2]);
  });
});
