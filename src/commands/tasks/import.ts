import { PROJECT_ID } from '../../core/projects/project-id.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printable, printJson } from '../terminal/print.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { importTasks as importFrom, type TaskImport } from './import-tasks.ts';
import { openTasks } from './open-tasks.ts';

interface ImportOptions {
  readonly project?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** The number of tasks of each kind that are listed. */
const NAMED = 20;

/** Imports the tasks of codebase-mcp. */
export async function importTasks(url: string, { project, config, json }: ImportOptions): Promise<void> {
  if (project !== undefined && !PROJECT_ID.test(project))
    throw new UsageError(`--project must match ${PROJECT_ID.source}`);
  const open = openTasks(await openSettings(config, 'error'));
  try {
    const { store, clean } = open;
    const into = project ?? (await open.projectIn(process.cwd()));
    const report = await importFrom({ store, clean, url, project: into });
    if (json === true) printJson(report);
    else printReport(report);
  } finally {
    await open.close();
  }
}

function printReport({ from, project, imported, known, skipped, leftOut }: TaskImport): void {
  print(`${counted(imported)} imported from ${from} into the project ${project}; ${known} were imported before.`);
  printRemarks(`${counted(skipped.length)} skipped:`, skipped);
  printRemarks('Left out of those imported:', leftOut);
}

function printRemarks(title: string, remarks: TaskImport['skipped']): void {
  if (remarks.length === 0) return;
  print(title);
  for (const { id, what } of remarks.slice(0, NAMED)) print(`  ${printable(id)}: ${printable(what)}`);
  if (remarks.length > NAMED) print(`  … and ${remarks.length - NAMED} more; --json has all`);
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'task' : 'tasks'}`;
}
