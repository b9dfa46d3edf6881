import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import type { TaskQuery } from '../../../core/projects/project-task.ts';
import type { CallContext, ToolDefinition } from '../../define.ts';
import { defineProjectTool, READS } from '../../define-project-tool.ts';
import { mayUse } from '../../project-access.ts';
import { projectOf } from '../../project-of.ts';
import { withHead } from '../link-head.ts';
import { getArguments, listArguments } from '../task-arguments.ts';
import { listedSchema, recordSchema, toRecord, toSummary } from '../task-record.ts';
import { findTask, type Toolbox } from './toolbox.ts';

export function getTask(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'get_task',
    title: 'Tasks: one task',
    description: 'Returns a task: what is to be done, its status and history, its branches and commits.',
    input: getArguments,
    output: recordSchema,
    annotations: READS,
    run: async (args, { client }) => toRecord(await findTask(toolbox, args, client)),
  });
}

export function listTasks(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'list_tasks',
    title: 'Tasks: list',
    description:
      'Lists the tasks of the project that you work in, newest first, of all statuses unless status is given. total_count is the number of matches before the limit. full_details: false shortens the list.',
    input: listArguments,
    output: z.object({
      tasks: z.array(listedSchema),
      total_count: z.number().describe('How many tasks match, before the limit'),
    }),
    annotations: READS,
    run: async ({ status, branch: named, limit, full_details, project_id, all }, context) => {
      const projects = await projectsOf(toolbox, { project_id, all }, context);
      const { branch } = await withHead({ branch: named }, context);
      const statuses = status === undefined ? undefined : [status];
      const { tasks, total } = await toolbox.tasks.list({ projects, statuses, branch, limit });
      return { tasks: tasks.map(full_details ? toRecord : toSummary), total_count: total };
    },
  });
}

interface Where {
  readonly project_id: string | undefined;
  readonly all: boolean | undefined;
}

/** Returns the projects whose tasks a client asks for and may see. */
async function projectsOf(
  toolbox: Toolbox,
  { project_id, all }: Where,
  context: CallContext,
): Promise<TaskQuery['projects']> {
  if (all === true) {
    if (project_id !== undefined) throw new GatewayError('INVALID_PARAMS', BOTH, { effect: 'none' });
    return allFor(toolbox, context);
  }
  const { id } = await projectOf(project_id, context, toolbox.identities);
  return mayUse(context.client, id) ? [id] : [];
}

async function allFor({ tasks }: Toolbox, { client }: CallContext): Promise<TaskQuery['projects']> {
  if (mayUse(client, undefined)) return 'all';
  return (await tasks.projects()).filter((projectId) => mayUse(client, projectId));
}

const BOTH = 'invalid arg: all: pass project_id for the tasks of one project, or all: true for those of all, not both';
