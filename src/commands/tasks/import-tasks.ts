import { shownPlace } from '../../core/addresses/shown-place.ts';
import type { ProjectTaskStore } from '../../core/projects/project-task.ts';
import { type ForeignTask, readForeignTasks } from '../../store/tasks/codebase-mcp/read-tasks.ts';
import type { Clean } from '../../workflows/tasks/clean.ts';
import { takeOver } from './foreign-task.ts';

/** A part of a task that was not imported, and why. */
interface Remark {
  readonly id: string;
  readonly what: string;
}

export interface TaskImport {
  /** Source of the tasks, without user and password. */
  readonly from: string;
  readonly project: string;
  imported: number;
  /** Tasks that were imported before; they stay unchanged. */
  known: number;
  /** Whole tasks. */
  readonly skipped: Remark[];
  /** Parts of tasks that were imported. */
  readonly leftOut: Remark[];
}

export interface TaskImportOptions {
  readonly store: ProjectTaskStore;
  readonly clean: Clean;
  /** URL of codebase-mcp's database, `postgres://…`. */
  readonly url: string;
  readonly project: string;
}

/** Imports the tasks of codebase-mcp into a project; tasks with known ids stay unchanged. @throws GatewayError from either database */
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
