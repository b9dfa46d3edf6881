import { z } from 'zod';
import { createFolder } from '../../../workspace/mutations.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { entriesOf, PAGE_SIZE } from './directory-entries.ts';
import { inWords } from './in-words.ts';
import { ADDS, changeBy, pathArgument, READS, sandboxFor, type Toolbox } from './toolbox.ts';

export function listDirectory(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'dir_list',
    title: 'Directories: list',
    description: `Lists what is in a directory of the workspace, by name; what is in its subdirectories is not listed. Answers in pages of ${PAGE_SIZE} entries.`,
    input: z.object({
      path: pathArgument('The directory; "." is the workspace itself'),
      cursor: z.string().optional().describe('The nextCursor of the page before; the first page if missing'),
    }),
    output: z.object({
      entries: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          isDir: z.boolean(),
          size: z.int().describe('In bytes; 0 for directories'),
        }),
      ),
      path: z.string(),
      nextCursor: z.string().optional().describe('There are more entries: call again with this as cursor'),
    }),
    annotations: READS,
    audit: 'info',
    run: async ({ path, cursor }, context) => {
      const sandbox = await sandboxFor(toolbox, context);
      const { entries, next } = await inWords(path, () => entriesOf(sandbox, path, { after: cursor }));
      return { entries, path, ...(next !== undefined && { nextCursor: next }) };
    },
  });
}

export function createDirectory(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'dir_create',
    title: 'Directories: create',
    description: 'Creates a directory and its missing parent directories. Succeeds if the directory already exists.',
    input: z.object({ path: pathArgument('The directory to make') }),
    output: z.object({ success: z.boolean(), path: z.string() }),
    annotations: ADDS,
    audit: 'security',
    run: async ({ path }, context) => {
      await createFolder(toolbox.changes, await changeBy(toolbox, context, { tool: 'dir_create', path }));
      return { success: true, path };
    },
  });
}
