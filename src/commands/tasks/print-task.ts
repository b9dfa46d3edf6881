import { print, printable, printJson, printTable } from '../terminal/print.ts';
import type { TaskRecord } from './task-client.ts';

/** Prints a task for people, or as JSON. */
export function printTask(task: TaskRecord, isJson: boolean): void {
  if (isJson) printJson(task);
  else printForPeople(task);
}

function printForPeople(task: TaskRecord): void {
  print(printable(task.title));
  printTable(factsOf(task), '  ');
  printText('Description', task.description);
  printText('Notes', task.notes);
}

function factsOf(task: TaskRecord): string[][] {
  return [
    ['id', task.id],
    ['project', task.project_id],
    ['status', task.status],
    ['created', task.created_at],
    ['updated', task.updated_at],
    ...task.status_history.slice(1).map(({ to_status, changed_at }) => ['since', `${changed_at}: ${to_status}`]),
    ...task.branches.map((branch) => ['branch', printable(branch)]),
    ...task.commits.map((commit) => ['commit', commit]),
    ...task.planning_references.map((reference) => ['see', printable(reference)]),
  ];
}

function printText(title: string, text: string | null): void {
  if (text !== null && text !== '') print(`\n${title}\n${text}`);
}
