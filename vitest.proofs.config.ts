import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

/** The test files that take more than ten seconds each: `npm run proofs`. */
export default defineConfig({ test: { ...tests.test, include: ['test/**/*.proof.ts'] } });
