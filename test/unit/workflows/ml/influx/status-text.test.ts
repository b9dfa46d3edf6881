import { expect, test } from 'vitest';
import { statusText } from '../../../../../src/workflows/ml/influx/status-text.ts';

test('names add no lines and no commands to a terminal, and are not endless', () => {
  const row = { status: 'training', iteration: 1, total_iters: 2, pct: 50 };
  const training = [
    { ...row, model: 'a\nGeneration:\u001b[2J' },
    { ...row, model: 'b'.repeat(5_000) },
  ];
  const lines = statusText({ training, losses: [], golden: [], expansion: [] }).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toBe('  a Generation:  training  1/2  50.0%');
  expect(lines[2]).toBe(`  ${'b'.repeat(199)}…  training  1/2  50.0%`);
});
