import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

// These tests pack and install the package, which takes minutes and the npm registry: `npm run proofs:install`.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/install/**/*.test.ts'], exclude: [], maxWorkers: 1 },
});
