import { expect, test } from 'vitest';
import { progressBar } from '../../../../src/commands/index/progress-bar.ts';

test.each([
  [{ progress: 0, total: 100 }, 0, '[........................] 0 of 100 files, 0 files a second'],
  [{ progress: 50, total: 100 }, 5, '[############............] 50 of 100 files, 10 files a second, 5 s left'],
  [{ progress: 100, total: 100 }, 5, '[########################] 100 of 100 files, 20 files a second, 0 s left'],
  [{ progress: 10, total: 10_000 }, 10, '[........................] 10 of 10000 files, 1 files a second, 167 min left'],
  [{ progress: 5, total: 10 }, 0.5, '[############............] 5 of 10 files, 10 files a second'],
  [{ progress: 7 }, 2, '7 files, 4 files a second'],
  [{ progress: 0, total: 0 }, 2, '0 files, 0 files a second'],
])('%j after %d s', (progress, seconds, line) => {
  expect(progressBar(progress, seconds)).toBe(line);
});
