import { defineWorkflow } from '../define.ts';
import { type ProcessOptions, processOptions } from './options.ts';

/** Processes that agents start, feed and read (seed 001, "Process Management"). */
export const processWorkflow = defineWorkflow<ProcessOptions>({
  name: 'process',
  description: 'Tools with which an agent starts programs in its workspace, reads what they write, and ends them',
  options: processOptions,
  prefixes: [],
  toolNamesBegin: ['process_'],
  usesDatabase: true,
  usesWorkspace: true,
  load: async () => (await import('./workflow.ts')).createProcesses,
});
