import { z } from 'zod';
import { undoAll } from '../../../workspace/undo-all.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { CHANGES, sandboxFor, sessionOf, type Toolbox } from './toolbox.ts';

const outcome = {
  change: z.int().describe('Its number; as `change` it undoes this very change, an undo too'),
  tool: z.string(),
  paths: z.array(z.string()),
};

export function undoTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'workspace_undo',
    title: 'Workspace: undo',
    description:
      'Undoes the last change that you made to files of the workspace, or all changes that you made in this session. Files that others have changed since are left alone.',
    input: z.object({
      scope: z.enum(['last', 'session']).default('last').describe('The last change, or all changes of this session'),
      change: z.int().min(1).optional().describe('Instead: one change of this session, by its number'),
    }),
    output: z.object({
      restored: z.array(z.object({ ...outcome, notes: z.array(z.string()) })),
      skipped: z.array(z.object({ ...outcome, reason: z.string() })),
    }),
    annotations: { ...CHANGES, idempotentHint: false },
    audit: 'security',
    run: async ({ scope, change }, context) => {
      const sandbox = await sandboxFor(toolbox, context);
      const session = sessionOf(context);
      const { restored, skipped } = await undoAll(toolbox.changes, {
        signal: context.signal,
        which: change === undefined ? { session, last: scope === 'last' } : { session, change },
        origin: { session, client: context.client.name },
        sandboxOf: () => sandbox,
      });
      return {
        restored: [...restored],
        skipped: skipped.map(({ change: id, tool, paths, reason }) => ({ change: id, tool, paths, reason })),
      };
    },
  });
}
