import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import { openTaskStore } from '../../store/tasks/open-task-store.ts';
import type { CreateWorkflow } from '../define.ts';
import { cleaner } from './clean.ts';
import type { TasksOptions } from './options.ts';
import { getTask, listTasks } from './tools/read.ts';
import type { Toolbox } from './tools/toolbox.ts';
import { createTaskTool, updateTaskTool } from './tools/write.ts';

const TOOLS = [getTask, listTasks, createTaskTool, updateTaskTool];

export const createTasks: CreateWorkflow<TasksOptions> = ({ options, openDatabase }) => {
  const database = openDatabase();
  const tasks = openTaskStore(database);
  // The projects of folders are the same for all workflows.
  const identities = openCheckpointStore({ database });
  const toolbox: Toolbox = { tasks, identities, clean: cleaner(options) };
  const tools = TOOLS.map((tool) => tool(toolbox));
  return {
    tools: () => tools,
    start: () => undefined,
    stop: async () => {
      await Promise.all([tasks.close(), identities.close()]);
    },
  };
};
