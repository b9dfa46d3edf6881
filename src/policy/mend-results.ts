import { definePolicy } from './policy.ts';

export const mendResults = definePolicy({
  name: 'mend-results',
  load: async () => (await import('./steps/index.ts')).mendResults,
});
