import type { ToolDefinition } from '../../define.ts';
import { ADDS, CHANGES, defineProjectTool } from '../../define-project-tool.ts';
import { requireProject } from '../../project-access.ts';
import { projectOf } from '../../project-of.ts';
import { withHead } from '../link-head.ts';
import { createArguments, updateArguments } from '../task-arguments.ts';
import { recordSchema, toRecord } from '../task-record.ts';
import { findTask, notFound, type Toolbox } from './toolbox.ts';

export function createTaskTool({ tasks, identities, clean }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'create_task',
    title: 'Tasks: create',
    description:
      'Creates a task in the project that you work in, with the status "need to be done". Use it for work that outlives this conversation.',
    input: createArguments,
    output: recordSchema,
    annotations: ADDS,
    run: async ({ title, description = null, notes = null, planning_references, project_id }, context) => {
      const { id: projectId } = await projectOf(project_id, context, identities);
      requireProject(context.client, projectId, `the project ${projectId}`);
      context.signal.throwIfAborted();
      const texts = clean({ title, description, notes, planningReferences: planning_references ?? [] });
      return toRecord(await tasks.create({ projectId, ...texts }));
    },
  });
}

export function updateTaskTool(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'update_task',
    title: 'Tasks: update',
    description:
      'Changes the given fields of a task and leaves the rest. Adds branch and commit to those already linked; HEAD means the commit and branch that are checked out in your folder.',
    input: updateArguments,
    output: recordSchema,
    annotations: CHANGES,
    run: async ({ task_id, project_id, planning_references: references, branch, commit, ...texts }, context) => {
      const { id } = await findTask(toolbox, { task_id, project_id }, context.client);
      const links = await withHead({ branch, commit }, context);
      context.signal.throwIfAborted();
      const planningReferences = references === null ? [] : references;
      const change = toolbox.clean({ ...texts, ...links, planningReferences });
      return toRecord((await toolbox.tasks.update(id, change)) ?? notFound());
    },
  });
}
