import { defineWorkflow } from '../define.ts';
import { type MlOptions, mlOptions } from './options.ts';

/** Language models for agents (seed 001, "ML"). */
export const mlWorkflow = defineWorkflow<MlOptions>({
  name: 'ml',
  description: 'Tools that have configured language models answer, score answers, and test what a model can do',
  options: mlOptions,
  prefixes: [],
  toolNamesBegin: ['ml_'],
  usesModels: true,
  load: async () => (await import('./workflow.ts')).createMl,
});
