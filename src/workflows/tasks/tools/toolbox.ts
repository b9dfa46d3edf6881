import { GatewayError } from '../../../core/errors.ts';
import type { ProjectTask, ProjectTaskStore } from '../../../core/projects/project-task.ts';
import type { Identities } from '../../../projects/identity/resolve-project.ts';
import type { CallingClient } from '../../define.ts';
import { mayUse } from '../../project-access.ts';
import type { Clean } from '../clean.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  readonly tasks: ProjectTaskStore;
  readonly identities: Identities;
  readonly clean: Clean;
}

/** The task that a client asks for. */
export interface Wanted {
  readonly task_id: string;
  readonly project_id?: string | undefined;
}

/**
 * Finds a task that a client may use.
 * @throws GatewayError the same one for a task that is not there and one that the client may not know about
 */
export async function findTask({ tasks }: Toolbox, wanted: Wanted, client: CallingClient): Promise<ProjectTask> {
  const task = await tasks.get(wanted.task_id.toLowerCase());
  const isOther = wanted.project_id !== undefined && wanted.project_id !== task?.projectId;
  return task === undefined || isOther || !mayUse(client, task.projectId) ? notFound() : task;
}

/** @throws GatewayError always */
export function notFound(): never {
  throw new GatewayError('TASK_NOT_FOUND', 'Task not found', { effect: 'none' });
}
