import { z } from 'zod';
import { defineWorkflow } from '../define.ts';

/** The workflow that tells the language of a file (seed 001). */
export const languageWorkflow = defineWorkflow({
  name: 'language',
  description: 'Tools that tell the programming language of a file by its name, and list the languages they know',
  options: z.strictObject({}).prefault({}),
  prefixes: [],
  toolNamesBegin: ['lang_'],
  load: async () => (await import('./workflow.ts')).createLanguageTools,
});
