import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ListAsker, type ListAskerHost } from '../../../../src/upstream/lists/list-asker.ts';
import { type ListOutcome, NO_ENTRIES } from '../../../../src/upstream/lists/read-list.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const READ: ListOutcome = { kind: 'read', list: NO_ENTRIES };
const FAILED: ListOutcome = { kind: 'failed', problem: { text: 'it failed', code: 'UPSTREAM_INVALID_ANSWER' } };

interface Question {
  readonly signal: AbortSignal;
  readonly onPage: () => void;
  answer(outcome: ListOutcome | undefined): void;
}

/** An asker with a connection, whose questions the test answers. */
function open(changes: Partial<ListAskerHost> = {}) {
  const questions: Question[] = [];
  const outcomes: string[] = [];
  const phases: string[] = [];
  const asker = new ListAsker('tool', {
    upstream: 'up',
    rules: { maxPauseMs: 30_000, asksUser: false },
    silenceMs: 10_000,
    read: (signal, onPage) =>
      new Promise((resolve) => void questions.push({ signal, onPage, answer: resolve as Question['answer'] })),
    isHeardSince: () => false,
    isQuiet: () => true,
    onOutcome: ({ kind }) => void outcomes.push(kind),
    onStep: ({ phase }) => void phases.push(phase),
    ...changes,
  });
  asker.attach();
  return { asker, questions, outcomes, phases };
}

/** What becomes of a promise. */
function kept(promise: Promise<void>) {
  const words: string[] = [];
  promise.then(
    () => words.push('done'),
    (error: { code: string; message: string }) => words.push(`${error.code} ${error.message}`),
  );
  return words;
}

describe('a list', () => {
  test('is read once when its turn has come, and the change is told', async () => {
    const { asker, questions, outcomes, phases } = open();
    asker.takeTurn();
    asker.takeTurn();
    questions[0]!.answer(READ);
    await settle();
    expect([questions.length, outcomes, phases]).toEqual([1, ['read'], ['reading', 'read']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not wanted without a connection', () => {
    const { asker, questions } = open();
    asker.detach();
    asker.want('hand');
    expect(questions).toEqual([]);
  });

  test('that fails is asked for again after a pause', async () => {
    const { asker, questions } = open();
    asker.takeTurn();
    questions[0]!.answer(FAILED);
    await settle(999);
    expect(questions).toHaveLength(1);
    await settle(1);
    expect(questions).toHaveLength(2);
  });

  test('that fails is not asked for again while there is no connection', async () => {
    const { asker, questions } = open();
    asker.takeTurn();
    questions[0]!.answer({ ...FAILED, problem: { ...FAILED.problem, retryAfterMs: 5_000 } });
    await settle();
    asker.detach();
    expect(vi.getTimerCount()).toBe(0);
    await settle(60_000);
    expect(questions).toHaveLength(1);
    asker.attach();
    await settle();
    expect(questions).toHaveLength(2);
  });

  test('is overdue ten seconds after its last page', async () => {
    const { asker, questions, phases } = open();
    asker.takeTurn();
    await settle(9_000);
    questions[0]!.onPage();
    await settle(9_999);
    expect(phases).toEqual(['reading']);
    await settle(1);
    expect(phases).toEqual(['reading', 'silent']);
  });

  test.each([
    [false, 'tools/list was not answered within 10 s; it is asked for again, and a late answer is taken too'],
    [true, 'tools/list was not answered within 10 s'],
  ])('that is overdue says so (asks its user: %s)', async (asksUser, problem) => {
    const { asker } = open({ rules: { maxPauseMs: 30_000, asksUser } });
    asker.takeTurn();
    await settle(10_000);
    expect(asker.state.problem).toBe(problem);
  });

  test('that is overdue is taken from the first question, whose answer is late, and the other is given up', async () => {
    const { asker, questions, outcomes } = open();
    asker.takeTurn();
    await settle(11_000);
    expect(questions).toHaveLength(2);
    questions[0]!.answer(READ);
    await settle();
    expect([outcomes, questions[1]!.signal.aborted]).toEqual([['read'], true]);
  });

  test('is still expected from the newest question where an earlier one fails', async () => {
    const { asker, questions, outcomes } = open();
    asker.takeTurn();
    await settle(11_000);
    questions[0]!.answer(FAILED);
    await settle();
    expect([outcomes, asker.state.phase]).toEqual([[], 'reading']);
    questions[1]!.answer(READ);
    await settle();
    expect([outcomes, asker.state.phase]).toEqual([['read'], 'read']);
  });

  test.each([
    ['is asked for by itself where its server is heard', true, 2],
    ['is not asked for by itself where its server says nothing', false, 1],
  ])('that its user is asked for %s', async (_what, isHeard, count) => {
    const since: number[] = [];
    const isHeardSince = (time: number) => since.push(time) > 0 && isHeard;
    const { asker, questions } = open({ rules: { maxPauseMs: 30_000, asksUser: true }, isHeardSince });
    const start = performance.now();
    asker.takeTurn();
    await settle(11_500);
    expect(questions).toHaveLength(count);
    expect(since[0]! - start).toBe(10_000);
  });
});

describe('a connection that ends', () => {
  test('gives up the question, fails who waits, and leaves no timer', async () => {
    const { asker, questions, outcomes } = open();
    const words = kept(asker.read());
    asker.detach();
    await settle();
    expect(words).toEqual(['UPSTREAM_NOT_CONNECTED up: not connected']);
    expect([questions[0]!.signal.aborted, vi.getTimerCount(), asker.state.phase]).toEqual([true, 0, 'unread']);
    questions[0]!.answer(READ);
    await settle();
    expect(outcomes).toEqual([]);
  });

  test('by itself, twice, while only this list was asked for: the list is to blame, and waits', () => {
    const { asker } = open();
    for (let time = 0; time < 2; time++) {
      asker.attach();
      asker.takeTurn();
      asker.detach({ reason: 'it died', isAlone: true });
    }
    expect([asker.state.phase, asker.state.losses]).toEqual(['failed', 2]);
    expect(asker.state.problem).toBe('tools/list: the connection ended when it was asked for (it died)');
  });
});

describe('who reads a list', () => {
  test('waits for its answer', async () => {
    const { asker, questions } = open();
    const words = kept(asker.read());
    await settle();
    expect(words).toEqual([]);
    questions[0]!.answer(READ);
    await settle();
    expect(words).toEqual(['done']);
  });

  test('while it is being read waits for the answer after that', async () => {
    const { asker, questions } = open();
    asker.takeTurn();
    const words = kept(asker.read());
    questions[0]!.answer(READ);
    await settle();
    expect([words, questions.length]).toEqual([[], 2]);
    questions[1]!.answer(READ);
    await settle();
    expect(words).toEqual(['done']);
  });

  test('hears how it failed', async () => {
    const { asker, questions } = open();
    const words = kept(asker.read());
    questions[0]!.answer(FAILED);
    await settle();
    expect(words).toEqual(['UPSTREAM_INVALID_ANSWER up: it failed']);
  });

  test('hears of no failure of before', async () => {
    const { asker, questions } = open();
    kept(asker.read());
    questions[0]!.answer(FAILED);
    await settle();
    const words = kept(asker.read());
    questions[1]!.answer({ kind: 'absent' });
    await settle();
    expect(words).toEqual(['done']);
  });

  test('without a connection fails at once', async () => {
    const { asker } = open();
    asker.detach();
    const words = kept(asker.read());
    await settle();
    expect(words).toEqual(['UPSTREAM_NOT_CONNECTED up: not connected']);
  });
});
