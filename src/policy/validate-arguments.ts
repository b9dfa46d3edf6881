import { definePolicy } from './policy.ts';

export const validateArguments = definePolicy({
  name: 'validate-arguments',
  load: async () => (await import('./steps/index.ts')).validateArguments,
});
