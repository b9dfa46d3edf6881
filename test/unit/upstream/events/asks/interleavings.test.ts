import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Over, Theatre } from './theatre.ts';
import { MEMBER_KINDS } from './troupe.ts';

/** `VIADUCT_INTERLEAVINGS=10000` runs so many. */
const RUNS = Number(process.env.VIADUCT_INTERLEAVINGS ?? 400);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const STEPS = ['call', 'ask', 'ask', 'log', 'progress', 'answer', 'cancel', 'reply', 'reply', 'leave', 'wait'] as const;

const step = fc.record({
  do: fc.constantFrom(...STEPS),
  which: fc.nat(1_000),
  isOutside: fc.boolean(),
  method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const one = <T>(of: readonly T[], which: number): T | undefined => of[which % of.length];

function perform(theatre: Theatre, { do: what, which, isOutside, method }: Step): void {
  const member = one(theatre.members, which)!;
  const work = one(what === 'log' || what === 'progress' ? theatre.known : theatre.underWay, which);
  if (what === 'call') theatre.call(member);
  else if (what === 'cancel') one([...member.calls], which)?.cancel();
  else if (what === 'reply') member.answer();
  else if (what === 'leave' && which % 8 === 0) member.leave();
  else if (what === 'wait') vi.advanceTimersByTime(isOutside ? 2_500 : 31_000);
  else if (work === undefined) theatre.call(member);
  else if (what === 'ask') theatre.ask(work, isOutside, method);
  else if (what === 'log') theatre.log(work, isOutside);
  else if (what === 'progress') theatre.progress(work);
  else if (what === 'answer') theatre.answer(work);
}

test.each(['pipe', 'streams'] as const satisfies readonly Over[])(
  "whatever clients and an upstream do at once, nobody hears what is another's, and what can be given is given: %s",
  (over) => {
    let given = 0;
    let asked = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...MEMBER_KINDS), { minLength: 2, maxLength: 5 }),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        (kinds, steps) => {
          const theatre = new Theatre(kinds, over);
          for (const next of steps) {
            perform(theatre, next);
            theatre.check();
          }
          asked += theatre.questions.length;
          given += theatre.questions.filter(({ answer }) => answer?.result?.by !== undefined).length;
          vi.clearAllTimers();
        },
      ),
      { numRuns: RUNS / 2 },
    );
    // Who refuses everything crosses nothing.
    expect(given / asked).toBeGreaterThan(0.02);
    if (process.env.VIADUCT_INTERLEAVINGS !== undefined) console.info(`${over}: ${asked} questions, ${given} answered`);
  },
  60_000 + RUNS * 100,
);
