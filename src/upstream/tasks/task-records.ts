import type { LateProgress } from './late-progress.ts';
import type { OpenTasks } from './open-tasks.ts';
import type { TaskOwners } from './task-owners.ts';
import type { TaskSessions } from './task-sessions.ts';

/** The tasks of an upstream as far as they are remembered: whose they are, who hears about them, which still run. */
export interface TaskRecords {
  readonly owners: TaskOwners;
  /** Legacy clients that have begun a task, or asked for it. */
  readonly known: TaskSessions;
  readonly progress: LateProgress;
  readonly open: OpenTasks;
}
