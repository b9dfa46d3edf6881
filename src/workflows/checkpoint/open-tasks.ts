import type { ProjectTaskStore, TaskStatus } from '../../core/projects/project-task.ts';
import type { Database } from '../../store/database/database.ts';
import type { CallingClient, GatewayView } from '../define.ts';
import { mayUse } from '../project-access.ts';
import type { OpenTasks } from './bundle/open-tasks.ts';

/** The number of tasks named. */
const MOST = 20;
/** In the order in which they are named. */
const OPEN: readonly TaskStatus[] = ['in-progress', 'need to be done'];

/** Returns the open tasks of a project, for a client that may see them; `undefined` if there are none. */
export type OpenTasksFor = (projectId: string, client: CallingClient) => Promise<OpenTasks | undefined>;

/** Returns what reads open tasks while the workflow `tasks` is on, and of a client only if that sees it. */
export function openTasksIn(database: Database, gateway: GatewayView): OpenTasksFor {
  let store: ProjectTaskStore | undefined;
  return async (projectId, client) => {
    if (!gateway.offers('tasks', 'list_tasks', client) || !mayUse(client, projectId)) return undefined;
    store ??= (await import('../../store/tasks/open-task-store.ts')).openTaskStore(database);
    return readOpenTasks(store, projectId);
  };
}

/** Returns the open tasks of a project, the first of them with their titles; `undefined` if there are none. */
export async function readOpenTasks(store: ProjectTaskStore, projectId: string): Promise<OpenTasks | undefined> {
  const tasks: OpenTasks['tasks'] = [];
  let total = 0;
  for (const status of OPEN) {
    const page = await store.list({ projects: [projectId], statuses: [status], limit: MOST - tasks.length });
    tasks.push(...page.tasks.map(({ id, title }) => ({ id, title, status })));
    total += page.total;
  }
  return total === 0 ? undefined : { total, tasks };
}
