import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clearStopMark, markStopped, wasStopped } from '../../../../src/gateway/shared/stop-mark.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test('a stopped gateway is known by its process id until another one has that id', () => {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'run'));
  expect(wasStopped(home, 7)).toBe(false);
  markStopped(home, 7);
  expect(wasStopped(home, 7)).toBe(true);
  expect(wasStopped(home, 77)).toBe(false);
  clearStopMark(home, 7);
  expect(wasStopped(home, 7)).toBe(false);
});
