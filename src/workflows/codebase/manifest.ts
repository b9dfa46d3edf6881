import { defineWorkflow } from '../define.ts';
import { type CodebaseOptions, codebaseOptions } from './options.ts';

/** Search in the code of repositories (seed 003, "Codebase MCP"). */
export const codebaseWorkflow = defineWorkflow<CodebaseOptions>({
  name: 'codebase',
  description: 'Tools that index repositories and search their code, without any service',
  options: codebaseOptions,
  prefixes: [],
  toolNamesBegin: [
    'search_code',
    'index_repository',
    'start_indexing_background',
    'get_indexing_status',
    'set_working_directory',
    'code_outline',
  ],
  usesDatabase: true,
  usesWorkspace: true,
  load: async () => (await import('./workflow.ts')).createCodebase,
});
