import { print, printable, printJson, printTable } from '../terminal/print.ts';
import { withWorkflow } from '../terminal/with-client.ts';
import { printTask } from './print-task.ts';
import { TaskClient, type TaskList } from './task-client.ts';

interface TaskOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface ListOptions extends TaskOptions {
  readonly project?: string;
  readonly all?: boolean;
  readonly status?: string;
  readonly branch?: string;
  readonly limit: number;
}

interface Texts extends TaskOptions {
  readonly description?: string;
  readonly notes?: string;
  readonly reference?: readonly string[];
}

interface UpdateOptions extends Texts {
  readonly title?: string;
  readonly status?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly clear?: readonly ('description' | 'notes' | 'references')[];
}

/** Lists the tasks of a project, or of all. */
export async function listTasks(options: ListOptions): Promise<void> {
  const { project, all, status, branch, limit } = options;
  const list = await withTasks(options, (tasks) => tasks.list({ project_id: project, all, status, branch, limit }));
  if (options.json === true) printJson(list);
  else printList(list, all === true);
}

function printList({ tasks, total_count: total }: TaskList, withProjects: boolean): void {
  const projectOf = (id = '') => (withProjects ? [printable(id)] : []);
  if (total === 0) print('No tasks were found.');
  printTable(tasks.map((task) => [task.id, task.status, ...projectOf(task.project_id), printable(task.title)]));
  if (total > tasks.length) print(`${total - tasks.length} more; --limit shows up to 100`);
}

/** Shows a task. */
export async function showTask(id: string, options: TaskOptions): Promise<void> {
  printTask(await withTasks(options, (tasks) => tasks.get(id)), options.json === true);
}

/** Creates a task. */
export async function createTask(title: string, options: Texts & { readonly project?: string }): Promise<void> {
  const { description, notes, reference, project } = options;
  const args = { title, description, notes, planning_references: reference, project_id: project };
  printTask(await withTasks(options, (tasks) => tasks.create(args)), options.json === true);
}

/** Changes a task. */
export async function updateTask(id: string, options: UpdateOptions): Promise<void> {
  const { title, description, notes, reference, status, branch, commit, clear = [] } = options;
  const cleared = <T>(what: (typeof clear)[number], value: T) => (clear.includes(what) ? null : value);
  const change = {
    title,
    status,
    branch,
    commit,
    description: cleared('description', description),
    notes: cleared('notes', notes),
    planning_references: cleared('references', reference),
  };
  printTask(await withTasks(options, (tasks) => tasks.update(id, change)), options.json === true);
}

/** Uses the tools of the running gateway, or else of one for this command only, which starts no server. */
function withTasks<T>({ config }: TaskOptions, work: (tasks: TaskClient) => Promise<T>): Promise<T> {
  return withWorkflow('tasks', { config, name: 'viaduct tasks' }, (client) =>
    work(new TaskClient(client, process.cwd())),
  );
}
