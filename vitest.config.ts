import { defineConfig } from 'vitest/config';
import { FlakyReporter } from './test/support/flaky-reporter.ts';
import { SlowFirst } from './test/support/slow-first.ts';

// Node.js reads all of such a file at every start, which takes as long as the start itself, and a run starts thousands of
// processes. Tests that need a certificate bring it.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**', 'test/conformance/**', 'test/install/**'],
    globalSetup: ['test/support/build-once.ts'],
    setupFiles: ['test/support/isolated-home.ts'],
    // What is waited for comes when the machine has time: a limit only ends a run that would never end.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Thousands of tests start processes: on a busy machine one of them may fail by its timing alone. Those that passed only
    // when they were run again are listed at the end.
    retry: 1,
    reporters: ['default', new FlakyReporter()],
    // They wait for processes a good part of the time: two cores have room for one more.
    maxWorkers: 3,
    // A process and its modules anew for each file cost as much as the unit tests themselves.
    isolate: false,
    sequence: { sequencer: SlowFirst },
  },
});
