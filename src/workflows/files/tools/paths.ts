import { z } from 'zod';
import { move, remove } from '../../../workspace/mutations.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { CHANGES, changeBy, type Desk, pathArgument, READS, sandboxFor } from './desk.ts';
import { isThere } from './directory-entries.ts';

export function deleteFile(desk: Desk): ToolDefinition {
  return defineTool({
    name: 'file_delete',
    title: 'Files: delete',
    description: 'Deletes a file, or a directory that is empty. workspace_undo brings it back.',
    input: z.object({ path: pathArgument('What to delete; of a symbolic link, the link itself') }),
    output: z.object({ success: z.boolean(), path: z.string() }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ path }, context) => {
      await remove(desk.changes, await changeBy(desk, context, { tool: 'file_delete', path }));
      return { success: true, path };
    },
  });
}

export function renameFile(desk: Desk): ToolDefinition {
  return defineTool({
    name: 'file_rename',
    title: 'Files: rename',
    description:
      'Gives a file or directory of the workspace another name, or another place in it. A file that stands there is replaced; workspace_undo brings it back.',
    input: z.object({
      oldPath: pathArgument('Current path'),
      newPath: pathArgument('Destination path, in a directory that is there'),
    }),
    output: z.object({ success: z.boolean(), oldPath: z.string(), newPath: z.string() }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ oldPath, newPath }, context) => {
      const request = await changeBy(desk, context, { tool: 'file_rename', path: oldPath });
      await move(desk.changes, request, newPath);
      return { success: true, oldPath, newPath };
    },
  });
}

export function fileExists(desk: Desk): ToolDefinition {
  return defineTool({
    name: 'file_exists',
    title: 'Files: exists',
    description: 'Tells whether something is at a path, and whether it is a directory.',
    input: z.object({ path: pathArgument('Where to look') }),
    output: z.object({
      exists: z.boolean().describe('false as well where it cannot be reached'),
      isDir: z.boolean(),
      path: z.string(),
    }),
    annotations: READS,
    audit: 'info',
    run: async ({ path }, context) => ({ ...(await isThere(await sandboxFor(desk, context), path)), path }),
  });
}
