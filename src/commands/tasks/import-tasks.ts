import { shownPlace } from '../../core/addresses/shown-place.ts';
import type { ProjectTaskStore } from '../../core/projects/project-task.ts';
import { type ForeignTask, readForeignTasks } from '../../store/tasks/codebase-mcp/read-tasks.ts';
import type { Clean } from '../../workflows/tasks/clean.ts';
import { takeOver } from './foreign-task.ts';

/** Something of a task that was not taken over, and why, or what it is. */
interface Remark {
  readonly id: string;
  readonly what: string;
}

export interface TaskImport {
  /** Source of the tasks, without user and password. */
  readonly from: string;
  readonly project: string;
  imported: number;
  /** Tasks whose ids are known: they were taken over before, and stay as they are now. */
  known: number;
  /** Whole tasks. */
  readonly skipped: Remark[];
  /** Parts of tasks that were imported. */
  readonly leftOut: Remark[];
}

export interface TaskImportOptions {
  readonly store: ProjectTaskStore;
  readonly clean: Clean;
  /** `postgres://…`, of codebase-mcp. */
  readonly url: string;
  readonly project: string;
}

/** Takes over the tasks of codebase-mcp into a project; those with known ids stay. @throws GatewayError of either database */
export async function importTasks({ store, clean, url, project }: TaskImportOptions): Promise<TaskImport> {
  const report: TaskImport = { from: shownPlace(url), project, imported: 0, known: 0, skipped: [], leftOut: [] };
  await readForeignTasks(url, async (foreign) => {
    const taken = foreign.flatMap((one) => takenOver(one, report));
    const added = await store.add(taken.map(({ task }) => clean(task)));
    for (const { task, leftOut } of taken) {
      if (added.has(task.id)) report.leftOut.push(...leftOut.map((what) => ({ id: task.id, what })));
    }
    report.imported += added.size;
    report.known += taken.length - added.size;
  });
  return report;
}

function takenOver(foreign: ForeignTask, { project, skipped }: TaskImport) {
  const taken = takeOver(foreign, project);
  if (typeof taken !== 'string') return [taken];
  skipped.push({ id: String(foreign.task.id), what: taken });
  return [];
}
