import { expect, test } from 'vitest';
import { textProgress } from '../../../../src/workflows/ml/text-progress.ts';

test('pieces of a tenth of a second are one report', () => {
  const reports: object[] = [];
  let now = 0;
  const onText = textProgress(
    (report) => void reports.push(report),
    () => now,
  );
  onText('a');
  onText('bc');
  now = 100;
  onText('d');
  expect(reports).toEqual([
    { progress: 1, message: 'a' },
    { progress: 4, message: 'bcd' },
  ]);
});
