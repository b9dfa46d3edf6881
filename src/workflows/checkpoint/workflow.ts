import type { CheckpointStore } from '../../core/stores/checkpoint-store.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import type { CreateWorkflow, Workflow, WorkflowContext } from '../define.ts';
import { Checkpoints } from './checkpoints.ts';
import { checkpointsFor } from './limited-checkpoints.ts';
import { type OpenTasksFor, openTasksIn } from './open-tasks.ts';
import type { CheckpointOptions } from './options.ts';
import { ProjectResources } from './resources.ts';
import { resumePrompt } from './resume-prompt.ts';
import { appendDecisionTool, appendTodoTool, completeTodoTool, updateTodoTool } from './tools/append.ts';
import { diffCheckpoints, listCheckpoints } from './tools/history.ts';
import { deleteProject, getProjectId, listProjects } from './tools/projects.ts';
import { loadCheckpoint, saveCheckpoint } from './tools/save-and-load.ts';
import type { Toolbox } from './tools/toolbox.ts';

const TOOLS = [
  saveCheckpoint,
  loadCheckpoint,
  appendDecisionTool,
  appendTodoTool,
  updateTodoTool,
  completeTodoTool,
  listCheckpoints,
  diffCheckpoints,
  listProjects,
  getProjectId,
  deleteProject,
];

export const createCheckpoints: CreateWorkflow<CheckpointOptions> = (context) => {
  const database = context.openDatabase();
  const store = openCheckpointStore({ database, keep: context.options.history.keep });
  return checkpointsIn(store, context, openTasksIn(database, context.gateway));
};

/** The same with any store; without tasks, unless they are given. */
export function checkpointsIn(
  store: CheckpointStore,
  { options, log, onOffer, onResourceChanged }: WorkflowContext<CheckpointOptions>,
  openTasksFor: OpenTasksFor = async () => undefined,
): Workflow {
  const checkpoints = new Checkpoints({ store, options, log });
  const resources = new ProjectResources({ checkpoints, store, log, onOffer, onResourceChanged });
  const toolbox: Toolbox = {
    checkpointsFor: (client) => checkpointsFor(client, checkpoints),
    store,
    openTasksFor,
    onProjectsChanged: () => void resources.refresh(),
  };
  const tools = TOOLS.map((tool) => tool(toolbox));
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    resources.stop();
    await checkpoints.stop();
    await store.close();
  };
  return {
    tools: () => tools,
    prompts: [resumePrompt(toolbox)],
    resources,
    start: () => resources.start(),
    stop: () => (stopped ??= stop()),
  };
}
