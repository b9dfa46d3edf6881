import { defineWorkflow } from '../define.ts';
import { type IdeOptions, ideOptions } from './options.ts';

/** Chats with agents, builds, and a dashboard (seed 001, "IDE"). */
export const ideWorkflow = defineWorkflow<IdeOptions>({
  name: 'ide',
  description: 'Tools with which agents chat in sessions, follow builds, and see the activity of the gateway',
  options: ideOptions,
  prefixes: [],
  toolNamesBegin: ['ide_'],
  usesDatabase: true,
  usesWorkspace: true,
  usesModels: true,
  load: async () => (await import('./workflow.ts')).createIde,
});
