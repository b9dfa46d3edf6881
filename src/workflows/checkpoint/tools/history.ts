import { z } from 'zod';
import type { ToolDefinition } from '../../define.ts';
import { defineProjectTool, projectIdArgument, READS } from '../../define-project-tool.ts';
import { projectOf } from '../../project-of.ts';
import { changeSchema } from '../bundle/diff.ts';
import { diffRevisions } from '../diff-revisions.ts';
import { revisionArgument, type Toolbox } from './toolbox.ts';

export function listCheckpoints({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'list_checkpoints',
    title: 'Checkpoint: history',
    description:
      'Lists the revisions of the saved state of a task, newest first. load_checkpoint gives one by its number.',
    input: z.object({
      project_id: projectIdArgument,
      limit: z.int().min(1).max(1_000).optional().describe('So many at most; 20 if missing'),
    }),
    output: z.object({
      project_id: z.string(),
      checkpoints: z.array(
        z.object({ revision: z.number(), updated_at: z.string(), source_ide: z.string(), kind: z.string() }),
      ),
    }),
    annotations: READS,
    run: async ({ project_id, limit = 20 }, context) => {
      const { id } = await projectOf(project_id, context, store);
      const revisions = await checkpointsFor(context.client).history(id, limit);
      return {
        project_id: id,
        checkpoints: revisions.map(({ revision, updatedAt, sourceIde, kind }) => ({
          revision,
          updated_at: updatedAt,
          source_ide: sourceIde,
          kind,
        })),
      };
    },
  });
}

export function diffCheckpoints({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'diff_checkpoints',
    title: 'Checkpoint: compare revisions',
    description:
      'Shows what changed in the saved state of a task between two revisions; by default, in the newest one.',
    input: z.object({
      project_id: projectIdArgument,
      from: revisionArgument.optional().describe('The one before `to`, if missing'),
      to: revisionArgument.optional().describe('The newest, if missing'),
    }),
    output: z.object({
      project_id: z.string(),
      from: z.number(),
      to: z.number(),
      changes: z.array(changeSchema),
    }),
    annotations: READS,
    run: async ({ project_id, from, to }, context) => {
      const { id } = await projectOf(project_id, context, store);
      const checkpoints = checkpointsFor(context.client);
      return {
        project_id: id,
        ...(await diffRevisions((revision) => checkpoints.load(id, revision), id, { from, to })),
      };
    },
  });
}
