import { z } from 'zod';
import { move, remove } from '../../../workspace/mutations.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { isThere } from './directory-entries.ts';
import { CHANGES, changeBy, pathArgument, READS, sandboxFor, type Toolbox } from './toolbox.ts';

export function deleteFile(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_delete',
    title: 'Files: delete',
    description: 'Deletes a file, or a directory that is empty. workspace_undo brings it back.',
    input: z.object({
      path: pathArgument('File or directory to delete; for a symbolic link, the link itself is deleted'),
    }),
    output: z.object({ success: z.boolean(), path: z.string() }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ path }, context) => {
      await remove(toolbox.changes, await changeBy(toolbox, context, { tool: 'file_delete', path }));
      return { success: true, path };
    },
  });
}

export function renameFile(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_rename',
    title: 'Files: rename',
    description:
      'Renames or moves a file or directory within the workspace. An existing file at the new path is replaced; workspace_undo restores it.',
    input: z.object({
      oldPath: pathArgument('Current path'),
      newPath: pathArgument('Destination path, in a directory that is there'),
    }),
    output: z.object({ success: z.boolean(), oldPath: z.string(), newPath: z.string() }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ oldPath, newPath }, context) => {
      const request = await changeBy(toolbox, context, { tool: 'file_rename', path: oldPath });
      await move(toolbox.changes, request, newPath);
      return { success: true, oldPath, newPath };
    },
  });
}

export function fileExists(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'file_exists',
    title: 'Files: exists',
    description: 'Tells whether something is at a path, and whether it is a directory.',
    input: z.object({ path: pathArgument('Path to check') }),
    output: z.object({
      exists: z.boolean().describe('false as well where it cannot be reached'),
      isDir: z.boolean(),
      path: z.string(),
    }),
    annotations: READS,
    audit: 'info',
    run: async ({ path }, context) => ({ ...(await isThere(await sandboxFor(toolbox, context), path)), path }),
  });
}
