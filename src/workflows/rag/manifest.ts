import { defineWorkflow } from '../define.ts';
import { type RagOptions, ragOptions } from './options.ts';

/** Documents that agents look things up in (seed 001). */
export const ragWorkflow = defineWorkflow<RagOptions>({
  name: 'rag',
  description: 'Tools that keep documents in collections and find the parts that answer a question',
  options: ragOptions,
  prefixes: [],
  toolNamesBegin: ['rag_'],
  usesDatabase: true,
  usesWorkspace: true,
  load: async () => (await import('./workflow.ts')).createRag,
});
