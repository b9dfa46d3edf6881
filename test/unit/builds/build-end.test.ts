import { expect, test } from 'vitest';
import { endOfBuild } from '../../../src/builds/build-end.ts';

test.each([
  [false, { name: 'exited', exitCode: 0 }, { status: 'success', exitCode: 0 }],
  [false, { name: 'exited', exitCode: 2 }, { status: 'failed', exitCode: 2 }],
  [false, { name: 'killed', signal: 'SIGSEGV' }, { status: 'failed', note: 'the build was ended by SIGSEGV' }],
  [false, { name: 'failed', reason: 'no such file' }, { status: 'failed', note: 'the build failed: no such file' }],
  [true, { name: 'killed', signal: 'SIGTERM' }, { status: 'cancelled', note: expect.stringContaining('SIGTERM') }],
  [true, { name: 'exited', exitCode: 0 }, { status: 'cancelled', exitCode: 0, note: expect.any(String) }],
] as const)('told to end: %s, %o', (wasToldToEnd, end, facts) => {
  expect(endOfBuild({ wasToldToEnd }, end)).toEqual(facts);
});
