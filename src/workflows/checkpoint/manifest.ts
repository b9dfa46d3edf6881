import { defineWorkflow } from '../define.ts';
import { type CheckpointOptions, checkpointOptions } from './options.ts';

/** Checkpoints that travel between IDEs (seed 000). */
export const checkpointWorkflow = defineWorkflow<CheckpointOptions>({
  name: 'checkpoint',
  description: 'Tools with which an agent saves the state of a task, and another one resumes it',
  options: checkpointOptions,
  prefixes: [],
  toolNamesBegin: [
    'save_checkpoint',
    'load_checkpoint',
    'list_checkpoints',
    'diff_checkpoints',
    'append_decision',
    'append_todo',
    'update_todo',
    'complete_todo',
    'list_projects',
    'get_project_id',
    'delete_project',
  ],
  usesDatabase: true,
  load: async () => (await import('./workflow.ts')).createCheckpoints,
});
