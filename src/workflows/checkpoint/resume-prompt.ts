import { GatewayError } from '../../core/errors.ts';
import { PROJECT_ID } from '../../core/projects/project-id.ts';
import type { PromptDefinition } from '../define.ts';
import { projectOf } from '../project-of.ts';
import { adapterFor } from './adapters/adapters.ts';
import { renderBriefing } from './bundle/briefing.ts';
import { type OpenTasks, renderOpenTasks } from './bundle/open-tasks.ts';
import { presented } from './delivery.ts';
import type { Toolbox } from './tools/toolbox.ts';

/** Returns the prompt with the saved state as a briefing for the agent that continues the task. */
export function resumePrompt({ checkpointsFor, store, openTasksFor }: Toolbox): PromptDefinition {
  return {
    name: 'resume_checkpoint',
    title: 'Resume a task',
    description: 'The saved state of a task as a briefing: what was decided, what is done, what comes next',
    arguments: [
      {
        name: 'project_id',
        description: 'Id of the project; found by the folder that you work in where it is missing',
        required: false,
        suggest: (typed, client) => checkpointsFor(client).suggest(typed),
      },
    ],
    run: async ({ project_id: given }, context) => {
      if (given !== undefined && given !== '' && !PROJECT_ID.test(given))
        throw new GatewayError('INVALID_PARAMS', `invalid arg: project_id: must match ${PROJECT_ID.source}`);
      const { id } = await projectOf(given === '' ? undefined : given, context, store);
      const stored = await checkpointsFor(context.client).load(id);
      const openTasks = await openTasksFor(id, context.client);
      const text =
        stored === undefined
          ? nothingSaved(id, openTasks)
          : renderBriefing(presented(stored), adapterFor(context.client.name).consumes, openTasks);
      return {
        description: `Checkpoint of ${id}`,
        messages: [{ role: 'user', content: { type: 'text', text } }],
      };
    },
  };
}

function nothingSaved(projectId: string, openTasks: OpenTasks | undefined): string {
  const text = `Nothing was saved for the project ${projectId} yet. Begin, and save the state of the work with save_checkpoint.`;
  return openTasks === undefined ? text : `${text}\n\n${renderOpenTasks(openTasks)}\n`;
}
