import { defineWorkflow } from '../define.ts';
import { type TasksOptions, tasksOptions } from './options.ts';

/** Tasks of projects, with their branches and commits (seed 003). */
export const tasksWorkflow = defineWorkflow<TasksOptions>({
  name: 'tasks',
  description: 'Tools that keep the tasks of a project, with their branches and commits',
  options: tasksOptions,
  prefixes: [],
  toolNamesBegin: ['get_task', 'list_tasks', 'create_task', 'update_task'],
  usesDatabase: true,
  load: async () => (await import('./workflow.ts')).createTasks,
});
