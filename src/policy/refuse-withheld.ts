import { definePolicy } from './policy.ts';

export const refuseWithheld = definePolicy({
  name: 'refuse-withheld',
  load: async () => (await import('./steps/index.ts')).refuseWithheld,
});
