import { z } from 'zod';
import type { ToolDefinition } from '../../define.ts';
import { ADDS, CHANGES, defineProjectTool, projectIdArgument } from '../../define-project-tool.ts';
import { projectOf } from '../../project-of.ts';
import { TODO_STATUSES } from '../bundle/schema.ts';
import { originOf, type Toolbox } from './toolbox.ts';

const text = z.string().min(1);
const status = z.enum(TODO_STATUSES);
const todoId = z.string().min(1).max(256).describe('Id of the todo, as load_checkpoint gives it');

export function appendDecisionTool({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'append_decision',
    title: 'Checkpoint: record a decision',
    description:
      'Adds one decision to the saved state of the task, at the moment it is made. Lighter than save_checkpoint.',
    input: z.object({
      project_id: projectIdArgument,
      text: text.describe('The decision'),
      rationale: z.string().optional().describe('Why'),
    }),
    output: z.object({ ok: z.boolean(), decision_id: z.string() }),
    annotations: ADDS,
    run: async ({ project_id, ...decision }, context) => {
      const project = await projectOf(project_id, context, store);
      return {
        ok: true,
        decision_id: await checkpointsFor(context.client).appendDecision(project, originOf(context), decision),
      };
    },
  });
}

export function appendTodoTool({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'append_todo',
    title: 'Checkpoint: add a todo',
    description: 'Adds one todo to the saved state of the task. Lighter than save_checkpoint.',
    input: z.object({
      project_id: projectIdArgument,
      text: text.describe('The work to do'),
      status: status.optional().describe('Status; open by default'),
    }),
    output: z.object({ ok: z.boolean(), todo_id: z.string() }),
    annotations: ADDS,
    run: async ({ project_id, ...todo }, context) => {
      const project = await projectOf(project_id, context, store);
      return { ok: true, todo_id: await checkpointsFor(context.client).appendTodo(project, originOf(context), todo) };
    },
  });
}

const todoOutput = z.object({ ok: z.boolean(), todo_id: z.string(), status: z.string() });

export function updateTodoTool({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'update_todo',
    title: 'Checkpoint: change a todo',
    description: 'Changes the status or the text of one todo in the saved state of the task.',
    input: z.object({
      project_id: projectIdArgument,
      todo_id: todoId,
      status: status.optional(),
      text: text.optional(),
    }),
    output: todoOutput,
    annotations: CHANGES,
    run: async ({ project_id, todo_id, ...change }, context) => {
      const project = await projectOf(project_id, context, store);
      const todo = await checkpointsFor(context.client).updateTodo(project, originOf(context), todo_id, change);
      return { ok: true, todo_id: todo.id, status: todo.status ?? 'open' };
    },
  });
}

export function completeTodoTool({ checkpointsFor, store }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'complete_todo',
    title: 'Checkpoint: complete a todo',
    description: 'Marks one todo in the saved state of the task as done.',
    input: z.object({ project_id: projectIdArgument, todo_id: todoId }),
    output: todoOutput,
    annotations: CHANGES,
    run: async ({ project_id, todo_id }, context) => {
      const project = await projectOf(project_id, context, store);
      const todo = await checkpointsFor(context.client).updateTodo(project, originOf(context), todo_id, {
        status: 'done',
      });
      return { ok: true, todo_id: todo.id, status: todo.status ?? 'done' };
    },
  });
}
