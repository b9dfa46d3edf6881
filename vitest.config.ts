import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**', 'test/conformance/**'],
    globalSetup: ['test/support/build-once.ts'],
    setupFiles: ['test/support/isolated-home.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // They wait for processes a good part of the time: two cores have room for a third.
    maxWorkers: 3,
    // A process and its modules anew for each file cost as much as the unit tests themselves.
    isolate: false,
    sequence: { sequencer: SlowFirst },
  },
});
