import { z } from 'zod';
import { move, remove } from '../../../workspace/mutations.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { CHANGES, changeBy, type Desk, pathArgument, READS, sandboxFor } from './desk.ts';
import { isThere } from './directory-entries.ts';

export function deleteFile(desk: Desk): ToolDefinition {
  return defineTool({
    name: 'file_delete',
    title: 'Files: delete',
    description: 'Delete a file or empty directory. workspace_undo brings it back.',
    input: z.object({ path: pathArgument('Path to delete; a symbolic link itself is deleted') }),
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
      'Rename or move a file or directory within the workspace. A file that has the new name is replaced; workspace_undo brings it back.',
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
    description: 'Check if a file or directory exists',
    input: z.object({ path: pathArgument('Path to check') }),
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
