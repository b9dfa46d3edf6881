import { z } from 'zod';
import { defineWorkflow } from '../define.ts';

/** Files and directories of the workspace (seed 001). */
export const filesWorkflow = defineWorkflow({
  name: 'files',
  description: 'Tools that read and change the files of the workspace, and undo what they changed',
  options: z.strictObject({}).prefault({}),
  prefixes: [],
  toolNamesBegin: [
    'file_read',
    'file_write',
    'file_edit',
    'file_delete',
    'file_rename',
    'file_exists',
    'dir_list',
    'dir_create',
    'workspace_undo',
  ],
  usesDatabase: true,
  usesWorkspace: true,
  load: async () => (await import('./workflow.ts')).createFiles,
});
