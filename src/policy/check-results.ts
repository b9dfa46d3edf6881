import { definePolicy } from './policy.ts';

export const checkResults = definePolicy({
  name: 'check-results',
  load: async () => (await import('./steps/index.ts')).checkResults,
});
