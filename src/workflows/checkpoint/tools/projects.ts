import path from 'node:path';
import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { resolveProject } from '../../../projects/identity/resolve-project.ts';
import type { CallContext, ToolDefinition } from '../../define.ts';
import { CHANGES, defineProjectTool, projectId, READS } from '../../define-project-tool.ts';
import { requireProject } from '../../project-access.ts';
import { seedTier } from '../../project-of.ts';
import type { Toolbox } from './toolbox.ts';

export function listProjects({ checkpointsFor }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'list_projects',
    title: 'Checkpoint: projects',
    description: 'Lists the projects that have a saved state, the one that was saved last first.',
    input: z.object({}),
    output: z.object({
      projects: z.array(z.object({ project_id: z.string(), last_source_ide: z.string(), updated_at: z.string() })),
    }),
    annotations: READS,
    run: async (_args, { client }) => {
      const projects = await checkpointsFor(client).projects();
      return {
        projects: projects.map(({ projectId, lastSourceIde, updatedAt }) => ({
          project_id: projectId,
          last_source_ide: lastSourceIde,
          updated_at: updatedAt,
        })),
      };
    },
  });
}

export function getProjectId({ store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'get_project_id',
    title: 'Checkpoint: which project is this',
    description:
      'Tells the project id of a folder, and what decided it: a file, the git remote and branch, or the path.',
    input: z.object({
      cwd: z
        .string()
        .min(1)
        .refine((folder) => path.isAbsolute(folder), { message: 'must be an absolute path' })
        .describe('Absolute path of the folder'),
    }),
    output: z.object({
      project_id: z.string(),
      resolved_from: z.enum(['explicit', 'git', 'path']),
      tier: z.enum(['argument', 'file', 'cache', 'git', 'path']).describe('The same more exactly'),
    }),
    annotations: READS,
    run: async ({ cwd }, { client }) => {
      const found = await resolveProject({ cwd, store, folderRule: client.folderRule });
      requireProject(client, found.projectId, 'the project of this folder');
      return { project_id: found.projectId, resolved_from: seedTier(found), tier: found.resolvedFrom };
    },
  });
}

export function deleteProject({ checkpointsFor, onProjectsChanged }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'delete_project',
    title: 'Checkpoint: forget a project',
    description:
      'Deletes the saved state of a project with all its revisions. It cannot be undone. The user is asked first; where your client cannot ask, confirm must be true, and you must have asked the user yourself.',
    input: z.object({
      project_id: projectId,
      confirm: z.boolean().optional().describe('The user has agreed; needed where the client cannot ask'),
    }),
    output: z.object({
      deleted: z.boolean(),
      reason: z.string().optional().describe('Why it was not: declined, or unknown project'),
    }),
    annotations: { ...CHANGES, destructiveHint: true },
    run: async ({ project_id, confirm }, context) => {
      requireProject(context.client, project_id, `the project ${project_id}`);
      const checkpoints = checkpointsFor(context.client);
      const history = await checkpoints.history(project_id, 1);
      if (history.length === 0) return { deleted: false, reason: 'unknown project' };
      if (!(await isConfirmed(project_id, confirm === true, context))) return { deleted: false, reason: 'declined' };
      context.signal.throwIfAborted();
      const deleted = await checkpoints.remove(project_id);
      onProjectsChanged();
      return { deleted };
    },
  });
}

async function isConfirmed(projectId: string, confirm: boolean, context: CallContext): Promise<boolean> {
  if (!context.canElicit) {
    if (confirm) return true;
    throw new GatewayError('INVALID_PARAMS', NEEDS_CONFIRM, { effect: 'none' });
  }
  const { action, content } = await context.elicit({
    message: `Delete all checkpoints of the project ${projectId}? This cannot be undone.`,
    requestedSchema: {
      type: 'object',
      properties: { delete: { type: 'boolean', title: 'Delete', description: 'Delete them', default: false } },
      required: ['delete'],
    },
  });
  return action === 'accept' && content.delete === true;
}

const NEEDS_CONFIRM =
  'missing or empty required boolean arg: confirm: your client cannot ask its user, so ask, and pass confirm: true';
