import { z } from 'zod';
import type { ToolDefinition } from '../../define.ts';
import { CHANGES, defineProjectTool, projectIdArgument, READS } from '../../define-project-tool.ts';
import { placedProjectOf, projectOf } from '../../project-of.ts';
import { openTasksSchema } from '../bundle/open-tasks.ts';
import { bundleSchema, FIDELITIES, fidelitySchema } from '../bundle/schema.ts';
import { patchArgument } from '../bundle/validate.ts';
import { delivered } from '../delivery.ts';
import { revisionArgument, type Toolbox } from './toolbox.ts';

export function saveCheckpoint({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'save_checkpoint',
    title: 'Checkpoint: save',
    description:
      'Merges what changed (plan, decisions, todos, summary of the conversation, …) into the saved state of the task, so that it can be resumed here or in another IDE. Send only the fields that changed. A second save within 30 s answers saved: false, reason: "debounced", and is written when that time is over; force writes now.',
    input: z.object({
      project_id: projectIdArgument,
      source_ide: z
        .string()
        .min(1)
        .max(128)
        .describe('The IDE that saves: claude-code, cursor, kiro, antigravity, codex, vscode, zed or generic'),
      bundle_patch: patchArgument(),
      force: z.boolean().optional().describe('Write now, however short a time ago the last save was'),
    }),
    output: z.object({
      saved: z.boolean().describe('True if it was written; otherwise it is kept and written soon'),
      bundle_id: z.string().optional(),
      updated_at: z.string().optional(),
      reason: z.string().optional().describe('Why it was not written yet: debounced'),
    }),
    annotations: CHANGES,
    run: async ({ project_id, source_ide, bundle_patch, force }, context) => {
      const project = await placedProjectOf(project_id, context, store);
      const { signal } = context;
      const request = { sourceIde: source_ide, patch: bundle_patch, force: force === true, signal };
      const saved = await checkpointsFor(context.client).save(project, request);
      if (saved === undefined) return { saved: false, reason: 'debounced' };
      return { saved: true, bundle_id: saved.bundleId, updated_at: saved.updatedAt };
    },
  });
}

export function loadCheckpoint({ checkpointsFor, store, openTasksFor }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'load_checkpoint',
    title: 'Checkpoint: load',
    description:
      'Gives the saved state of the task: plan, decisions, todos, git state, summary of the conversation. Call it when you begin to work on a project. As much of the conversation is given as your IDE can use; bundle is null where nothing was saved yet.',
    input: z.object({
      project_id: projectIdArgument,
      revision: revisionArgument
        .optional()
        .describe('An earlier revision, from list_checkpoints; the newest if missing'),
      fidelity: z
        .enum(FIDELITIES)
        .optional()
        .describe('How much of the conversation: none (L0), its summary (L1), some turns (L2), all (L3)'),
    }),
    output: z.object({
      bundle: bundleSchema.nullable(),
      fidelity: fidelitySchema.optional().describe('Parts of the bundle that were left out for this client'),
      open_tasks: openTasksSchema
        .optional()
        .describe('Tasks of the project that are not complete, where the workflow tasks is on'),
    }),
    annotations: READS,
    run: async ({ project_id, revision, fidelity }, context) => {
      const { id } = await projectOf(project_id, context, store);
      const stored = await checkpointsFor(context.client).load(id, revision);
      const loaded = stored === undefined ? { bundle: null } : delivered(stored, context, fidelity);
      // An earlier revision is about another time.
      const open_tasks = revision === undefined ? await openTasksFor(id, context.client) : undefined;
      return { ...loaded, ...(open_tasks !== undefined && { open_tasks }) };
    },
  });
}
