import { expect, test } from 'vitest';
import { planIn } from '../../../../../src/workflows/ide/chat/plan.ts';

const statusOf = (...statuses: (string | null)[]) =>
  planIn({ plan: { steps: statuses.map((status) => ({ text: 't', status })) } }).status;

test('a plan has the status of its steps', () => {
  expect(statusOf('done', 'done')).toBe('done');
  expect(statusOf('done', 'open')).toBe('in_progress');
  expect(statusOf('pending', 'in_progress')).toBe('in_progress');
  expect(statusOf('pending', 'open')).toBe('open');
  expect(statusOf('done', null)).toBe('unknown');
  expect(statusOf()).toBe('unknown');
});

test('the current step is in progress, by its id or its text', () => {
  const steps = [{ id: 'a', text: 'first', status: 'done' }, { text: 'second' }, { id: 'c', text: 'third' }];
  const statuses = (current: unknown) =>
    planIn({ plan: { steps, current_step: current } }).steps.map(({ status }) => status);
  expect(statuses('second')).toEqual(['done', 'in_progress', 'unknown']);
  expect(statuses('c')).toEqual(['done', 'unknown', 'in_progress']);
  expect(statuses('a')).toEqual(['done', 'unknown', 'unknown']);
  expect(statuses('')).toEqual(['done', 'unknown', 'unknown']);
});

test('a plan of plain texts has steps of unknown status', () => {
  expect(planIn({ plan: null, plan_steps: ['one', 'two'] })).toEqual({
    status: 'unknown',
    steps: [
      { name: 'one', status: 'unknown' },
      { name: 'two', status: 'unknown' },
    ],
  });
});

test('anything else is no plan', () => {
  for (const bundle of [undefined, {}, { plan: { summary: 's' } }, { plan: 'x', plan_steps: 'y' }])
    expect(planIn(bundle)).toEqual({ status: 'unknown', steps: [] });
  const long = planIn({ plan: { steps: Array.from({ length: 1_001 }, () => ({ text: 'x'.repeat(1_001) })) } });
  expect(long.steps).toHaveLength(1_000);
  expect(long.steps[0]!.name).toHaveLength(1_000);
  expect(planIn({ plan: { steps: [7] } }).steps).toEqual([{ name: '', status: 'unknown' }]);
});
