import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Action,
  type ConnectionEvent,
  type ConnectionState,
  initialMachine,
  isLive,
  isOffering,
  type Machine,
  type RestartRule,
  retryDelayMs,
  type StateName,
  transition,
} from '../../../../src/upstream/connection/machine.ts';

const NOW = 1_000_000;

const STATES = {
  idle: { name: 'idle', since: 1 },
  stopped: { name: 'stopped', since: 1, reason: 'old', byHand: false },
  'stopped by hand': { name: 'stopped', since: 1, reason: 'old', byHand: true },
  starting: { name: 'starting', since: 1, attempt: 3 },
  ready: { name: 'ready', since: NOW - 1 },
  waiting: { name: 'waiting', since: 1, reason: 'old' },
  backoff: { name: 'backoff', since: 1, attempt: 3, retryAt: 2, reason: 'old' },
  'crash-loop': { name: 'crash-loop', since: 1, reason: 'old' },
  failed: { name: 'failed', since: 1, reason: 'old' },
  'needs-auth': { name: 'needs-auth', since: 1, reason: 'old' },
  stopping: { name: 'stopping', since: 1, reason: 'old', byHand: false },
  'stopping by hand': { name: 'stopping', since: 1, reason: 'old', byHand: true },
} as const satisfies Record<string, ConnectionState>;

const EVENTS = {
  wanted: { name: 'wanted', force: false },
  forced: { name: 'wanted', force: true },
  listed: { name: 'listed' },
  unlisted: { name: 'unlisted', reason: 'new' },
  lost: { name: 'lost', reason: 'new' },
  expired: { name: 'expired', reason: 'new' },
  renewed: { name: 'renewed', reason: 'new' },
  impossible: { name: 'impossible', reason: 'new' },
  unauthorized: { name: 'unauthorized', reason: 'new' },
  'retry-due': { name: 'retry-due' },
  unused: { name: 'unused', reason: 'new' },
  stop: { name: 'stop', reason: 'new', byHand: false },
  'stop by hand': { name: 'stop', reason: 'new', byHand: true },
  closed: { name: 'closed' },
} as const satisfies Record<string, ConnectionEvent>;

type State = keyof typeof STATES;
type Event = keyof typeof EVENTS;
const RULES: readonly RestartRule[] = ['never', 'on-demand', 'always'];

function step(state: ConnectionState, event: ConnectionEvent, restart: RestartRule, losses: readonly number[] = []) {
  return transition({ state, losses }, event, { now: NOW, restart, jitter: 0 });
}

const first = { name: 'starting', since: NOW, attempt: 1 } as const;
const stopped = { name: 'stopped', since: NOW, reason: 'new', byHand: false } as const;
const byHand = { ...stopped, byHand: true } as const;
const failed = { name: 'failed', since: NOW, reason: 'new' } as const;
const needsAuth = { name: 'needs-auth', since: NOW, reason: 'new' } as const;
const stopping = { name: 'stopping', since: NOW, reason: 'new', byHand: false } as const;
const ready = { name: 'ready', since: NOW } as const;
const backoff = { name: 'backoff', since: NOW, attempt: 1, retryAt: NOW + 250, reason: 'new' } as const;

/** Every transition there is, and the restart rules under which it is. */
const TRANSITIONS: readonly (readonly [State, Event, readonly RestartRule[], ConnectionState, readonly Action[]])[] = [
  ['idle', 'wanted', RULES, first, ['open']],
  ['idle', 'forced', RULES, first, ['open']],
  ['idle', 'stop', RULES, stopped, []],
  ['idle', 'stop by hand', RULES, byHand, []],
  ['stopped', 'wanted', ['on-demand', 'always'], first, ['open']],
  ['stopped', 'forced', RULES, first, ['open']],
  ['stopped', 'stop', RULES, stopped, []],
  ['stopped', 'stop by hand', RULES, byHand, []],
  ['stopped by hand', 'forced', RULES, first, ['open']],
  ['stopped by hand', 'stop', RULES, stopped, []],
  ['stopped by hand', 'stop by hand', RULES, byHand, []],
  ['starting', 'listed', RULES, ready, []],
  ['starting', 'unlisted', RULES, { name: 'waiting', since: NOW, reason: 'new' }, []],
  ['starting', 'lost', ['never', 'on-demand'], stopped, []],
  ['starting', 'lost', ['always'], backoff, ['arm-retry']],
  ['starting', 'expired', ['never', 'on-demand'], stopped, []],
  ['starting', 'expired', ['always'], backoff, ['arm-retry']],
  ['starting', 'renewed', RULES, first, ['open']],
  ['starting', 'impossible', RULES, failed, []],
  ['starting', 'unauthorized', RULES, needsAuth, []],
  ['starting', 'stop', RULES, stopping, ['close']],
  ['starting', 'stop by hand', RULES, { ...stopping, byHand: true }, ['close']],
  ['ready', 'unused', RULES, { name: 'idle', since: NOW, reason: 'new' }, []],
  ['ready', 'lost', ['never', 'on-demand'], stopped, []],
  ['ready', 'lost', ['always'], backoff, ['arm-retry']],
  ['ready', 'expired', RULES, first, ['open']],
  ['ready', 'renewed', RULES, first, ['open']],
  ['ready', 'impossible', RULES, failed, []],
  ['ready', 'unauthorized', RULES, needsAuth, []],
  ['ready', 'stop', RULES, stopping, ['close']],
  ['ready', 'stop by hand', RULES, { ...stopping, byHand: true }, ['close']],
  ['waiting', 'listed', RULES, ready, []],
  ['waiting', 'unlisted', RULES, { ...STATES.waiting, reason: 'new' }, []],
  ['waiting', 'lost', ['never', 'on-demand'], stopped, []],
  ['waiting', 'lost', ['always'], backoff, ['arm-retry']],
  ['waiting', 'expired', ['never', 'on-demand'], stopped, []],
  ['waiting', 'expired', ['always'], backoff, ['arm-retry']],
  ['waiting', 'renewed', RULES, first, ['open']],
  ['waiting', 'impossible', RULES, failed, []],
  ['waiting', 'unauthorized', RULES, needsAuth, []],
  ['waiting', 'stop', RULES, stopping, ['close']],
  ['waiting', 'stop by hand', RULES, { ...stopping, byHand: true }, ['close']],
  ['backoff', 'forced', RULES, first, ['disarm-retry', 'open']],
  ['backoff', 'retry-due', RULES, { ...first, attempt: 4 }, ['open']],
  ['backoff', 'stop', RULES, stopped, ['disarm-retry']],
  ['backoff', 'stop by hand', RULES, byHand, ['disarm-retry']],
  ['crash-loop', 'forced', RULES, first, ['open']],
  ['crash-loop', 'stop', RULES, stopped, []],
  ['crash-loop', 'stop by hand', RULES, byHand, []],
  ['failed', 'forced', RULES, first, ['open']],
  ['needs-auth', 'forced', RULES, first, ['open']],
  ['needs-auth', 'stop', RULES, stopped, []],
  ['needs-auth', 'stop by hand', RULES, byHand, []],
  ['failed', 'stop', RULES, stopped, []],
  ['failed', 'stop by hand', RULES, byHand, []],
  ['stopping', 'closed', RULES, { ...stopped, reason: 'old' }, []],
  ['stopping by hand', 'closed', RULES, { ...byHand, reason: 'old' }, []],
];

const rows = TRANSITIONS.flatMap(([state, event, rules, after, actions]) =>
  rules.map((rule) => ({ state, event, rule, after, actions })),
);

describe('transitions', () => {
  test.each(rows)(
    '$state, $event (restart: $rule) → $after.name $actions',
    ({ state, event, rule, after, actions }) => {
      const { machine, actions: done } = step(STATES[state], EVENTS[event], rule);
      expect(machine.state).toEqual(after);
      expect(done).toEqual(actions);
    },
  );

  test('any other event means nothing: the machine stays the very same', () => {
    const known = new Set(rows.map(({ state, event, rule }) => `${state}/${event}/${rule}`));
    let others = 0;
    for (const [state, before] of Object.entries(STATES)) {
      for (const [event, given] of Object.entries(EVENTS)) {
        for (const rule of RULES) {
          if (known.has(`${state}/${event}/${rule}`)) continue;
          others++;
          const machine: Machine = { state: before, losses: [NOW] };
          const after = transition(machine, given, { now: NOW, restart: rule, jitter: 0 });
          expect({ state, event, same: after.machine === machine, ...after }).toMatchObject({
            same: true,
            actions: [],
          });
        }
      }
    }
    expect(others).toBe(Object.keys(STATES).length * Object.keys(EVENTS).length * RULES.length - rows.length);
  });

  test('a new machine is idle, and nothing was lost', () => {
    expect(initialMachine(NOW)).toEqual({ state: { name: 'idle', since: NOW }, losses: [] });
  });
});

/** Runs events; each comes so many milliseconds after the one before. */
function run(restart: RestartRule, events: readonly (readonly [number, Event])[]) {
  let now = 0;
  let machine = initialMachine(0);
  const states: StateName[] = [];
  for (const [after, event] of events) {
    now += after;
    machine = transition(machine, EVENTS[event], { now, restart, jitter: 0 }).machine;
    states.push(machine.state.name);
  }
  return { machine, states };
}

/** A life that ends after so many milliseconds, in a gateway that starts it again. */
const life = (ms: number, restart: RestartRule): [number, Event][] => [
  [0, restart === 'always' ? 'retry-due' : 'wanted'],
  [0, 'listed'],
  [ms, 'lost'],
];
const firstLife = (ms: number): [number, Event][] => [
  [0, 'forced'],
  [0, 'listed'],
  [ms, 'lost'],
];

describe('the budget of losses', () => {
  test.each(['always', 'on-demand'] as const)('restart: %s: the fifth loss within three minutes ends it', (rule) => {
    const lives = (gap: number) => [...firstLife(0), ...Array.from({ length: 4 }, () => life(gap, rule)).flat()];
    expect(run(rule, lives(44_999)).machine.state).toMatchObject({ name: 'crash-loop', reason: 'new' });
    expect(run(rule, lives(44_999).slice(0, -3)).machine.state.name).toBe(rule === 'always' ? 'backoff' : 'stopped');
    // The first of five is three minutes old when the fifth comes.
    expect(run(rule, lives(45_000)).machine.state.name).toBe(rule === 'always' ? 'backoff' : 'stopped');
    expect(run(rule, lives(45_000)).machine.losses).toHaveLength(4);
  });

  test('a connection that a list has ended before does not count', () => {
    let machine: Machine = { state: STATES.ready, losses: [] };
    for (let time = 0; time < 20; time++) {
      const lost = { name: 'lost', reason: 'new', isOfList: true } as const;
      machine = transition(machine, lost, { now: NOW + time, restart: 'always', jitter: 0 }).machine;
      expect(machine.state).toMatchObject({ name: 'backoff', retryAt: NOW + time + retryDelayMs(1, 0) });
      machine = { ...machine, state: { name: 'ready', since: NOW + time } };
    }
    expect(machine.losses).toEqual([]);
  });

  test('restart: never: there is none, because only people start it', () => {
    const lives = Array.from({ length: 8 }, () => firstLife(0)).flat();
    expect(run('never', lives).states.filter((_name, index) => index % 3 === 2)).toEqual(
      Array.from({ length: 8 }, () => 'stopped'),
    );
  });

  test('is whole again after a minute of health, and not a millisecond sooner', () => {
    const three = [...firstLife(0), ...life(0, 'always'), ...life(0, 'always')];
    expect(run('always', [...three, ...life(59_999, 'always')]).machine.losses).toHaveLength(4);
    expect(run('always', [...three, ...life(60_000, 'always')]).machine.losses).toHaveLength(1);
  });

  test('is not made whole by a minute of silence or of starting', () => {
    const unlisted: [number, Event][] = [
      [0, 'retry-due'],
      [0, 'unlisted'],
      [60_000, 'lost'],
    ];
    const slow: [number, Event][] = [
      [0, 'retry-due'],
      [60_000, 'lost'],
    ];
    expect(run('always', [...firstLife(0), ...unlisted, ...slow]).machine.losses).toHaveLength(3);
  });

  test('is whole again when somebody starts it by hand', () => {
    const lives = [...firstLife(0), ...Array.from({ length: 4 }, () => life(0, 'always')).flat()];
    const { machine } = run('always', [...lives, ...firstLife(0)]);
    expect(machine).toMatchObject({ state: { name: 'backoff', attempt: 1 }, losses: [0] });
  });

  test('only somebody can start it once it is used up', () => {
    const lives = [...firstLife(0), ...Array.from({ length: 4 }, () => life(0, 'on-demand')).flat()];
    const after = run('on-demand', [...lives, [600_000, 'wanted'], [0, 'retry-due'], [0, 'forced']]);
    expect(after.states.slice(-4)).toEqual(['crash-loop', 'crash-loop', 'crash-loop', 'starting']);
  });
});

describe('a session that expires', () => {
  const session = (ms: number): [number, Event][] => [
    [0, 'listed'],
    [ms, 'expired'],
  ];

  test.each(RULES)('restart: %s: is followed by another at once, and by later ones after a while', (rule) => {
    const opened: [number, Event] = [0, 'forced'];
    expect(run(rule, [opened, ...session(1_000)]).machine.state).toMatchObject({ name: 'starting', attempt: 1 });
    expect(run(rule, [opened, ...session(1_000), ...session(1_000)]).machine.state).toMatchObject({
      name: 'backoff',
      retryAt: 2_500,
    });
    expect(run(rule, [opened, ...session(60_000), ...session(60_000)]).machine.state.name).toBe('starting');
  });
});

describe('delays', () => {
  test('double from 250 ms to 30 s', () => {
    const delays = Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, 0));
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(retryDelayMs(10_000, 0)).toBe(30_000);
  });

  test('are up to a fifth shorter by jitter, never longer', () => {
    expect(retryDelayMs(1, 1)).toBe(200);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, jitter) => {
          const [delay, full] = [retryDelayMs(attempt, jitter), retryDelayMs(attempt, 0)];
          expect(delay).toBeLessThanOrEqual(full);
          expect(delay).toBeGreaterThanOrEqual(full * 0.8);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('grow with each loss, and the attempts are counted', () => {
    const lives = [...firstLife(0), ...life(0, 'always'), ...life(0, 'always')];
    expect(run('always', lives).machine.state).toEqual({
      name: 'backoff',
      since: 0,
      attempt: 3,
      retryAt: 1_000,
      reason: 'new',
    });
    expect(run('always', [...lives, [1_000, 'retry-due']]).machine.state).toEqual({
      name: 'starting',
      since: 1_000,
      attempt: 4,
    });
  });
});

describe('whatever happens', () => {
  const events = fc.array(
    fc.tuple(
      fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 200_000 })),
      fc.constantFrom(...(Object.keys(EVENTS) as Event[])),
    ),
    { maxLength: 60 },
  );
  const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('there is one connection at most, one retry at most, and every state is left in order', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...RULES), jitters, (list, restart, jitter) => {
        let now = 0;
        let machine = initialMachine(0);
        let open = false;
        let armed = false;
        for (const [after, event] of list) {
          now += after;
          const before = machine;
          const next = transition(machine, EVENTS[event], { now, restart, jitter });
          machine = next.machine;
          const { state } = machine;
          if (event === 'retry-due') armed = armed && state === before.state;
          // The connection is gone when it was lost or replaced, or could not be made, or when it was told to close.
          if (isLive(before.state) && ['lost', 'expired', 'renewed', 'impossible', 'unauthorized'].includes(event))
            open = false;
          if (before.state.name === 'ready' && event === 'unused') open = false;
          for (const action of next.actions) {
            if (action === 'open') expect({ open, state: state.name }).toEqual({ open: false, state: 'starting' });
            if (action === 'close') expect({ open, state: state.name }).toEqual({ open: true, state: 'stopping' });
            if (action === 'arm-retry')
              expect({ armed, state: state.name }).toEqual({ armed: false, state: 'backoff' });
            if (action === 'disarm-retry') expect(armed).toBe(true);
            open = action === 'open' || (open && action !== 'close');
            armed = action === 'arm-retry' || (armed && action !== 'disarm-retry');
          }
          expect({ open, armed }).toEqual({ open: isLive(state), armed: state.name === 'backoff' });
          if (state.name === 'backoff') expect(state.retryAt - state.since).toBeGreaterThanOrEqual(200);
          if (next.actions.length > 0 || state !== before.state) expect(state.since).toBe(now);
          const isLimited = restart !== 'never' && !list.some(([, name]) => name === 'expired');
          expect(machine.losses.length).toBeLessThanOrEqual(isLimited ? 5 : Number.POSITIVE_INFINITY);
          expect(machine.losses.every((time) => time <= now)).toBe(true);
        }
      }),
      { numRuns: 700 },
    );
  });

  test('a stop ends in stopped, from every state, and stays there until somebody starts it again', () => {
    fc.assert(
      fc.property(events, events, fc.constantFrom(...RULES), (list, more, restart) => {
        const harmless = more.filter(([, event]) => event !== 'forced' && event !== 'stop');
        const { states } = run(restart, [...list, [0, 'closed'], [0, 'stop by hand'], [0, 'closed'], ...harmless]);
        for (const name of states.slice(list.length + 2)) expect(name).toBe('stopped');
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['idle', [true, true, true]],
  ['needs-auth', [true, true, true]],
  ['stopped', [false, true, false]],
  ['stopped by hand', [false, false, false]],
  ['starting', [true, true, true]],
  ['ready', [true, true, true]],
  ['waiting', [true, true, true]],
  ['backoff', [true, true, true]],
  ['crash-loop', [false, false, false]],
  ['failed', [false, false, false]],
  ['stopping', [false, false, false]],
] as const)('the last lists are still offered in %s: %j (never, on-demand, always)', (state, expected) => {
  expect(RULES.map((rule) => isOffering(STATES[state], rule))).toEqual(expected);
});

test('what is only dialled is tried for as long as it takes', () => {
  let machine = initialMachine(0);
  for (let now = 0; now < 60_000; now += 1_000) {
    const context = { now, restart: 'always', jitter: 0, isDialled: true } as const;
    machine = transition(machine, { name: 'wanted', force: false }, context).machine;
    machine = transition(machine, { name: 'lost', reason: 'refused' }, context).machine;
    machine = transition(machine, { name: 'retry-due' }, context).machine;
  }
  expect(machine.state.name).toBe('starting');
});
