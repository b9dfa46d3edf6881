import { type Command, Option } from 'commander';
import { TASK_STATUSES } from '../../core/projects/project-task.ts';
import { countUpTo } from '../terminal/count-flag.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

const PROJECT = ['-p, --project <id>', 'id of the project (default: that of this folder)'] as const;
const DESCRIPTION = ['-d, --description <text>', 'more about it'] as const;
const NOTES = ['-n, --notes <text>', 'remarks, context'] as const;
const REFERENCE = ['-r, --reference <path...>', 'relative paths of planning documents'] as const;
const ID = ['<id>', 'id of the task, as "viaduct tasks list" shows it'] as const;
const status = (what: string) => new Option('-s, --status <status>', what).choices(TASK_STATUSES);

/** `viaduct tasks …`: what is to be done in a project. */
export function addTasksCommands(program: Command): void {
  const tasks = program.command('tasks').description('list, create and change the tasks of a project');
  addReading(tasks);
  addWriting(tasks);
  addImport(tasks);
}

function addReading(tasks: Command): void {
  tasks
    .command('list')
    .description('list the tasks of a project, those that were created last first')
    .option(...PROJECT)
    .option('-a, --all', 'tasks of all projects')
    .addOption(status('only those with this status'))
    .option('-b, --branch <name>', 'only those linked to this branch; HEAD for the one that is checked out')
    .option('-l, --limit <number>', 'maximum number of tasks, up to 100', countUpTo(100), 20)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).listTasks(options));
  tasks
    .command('show')
    .description('show a task')
    .argument(...ID)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (id, options) => (await commands()).showTask(id, options));
}

function addWriting(tasks: Command): void {
  tasks
    .command('create')
    .description('create a task')
    .argument('<title>', 'what is to be done')
    .option(...PROJECT)
    .option(...DESCRIPTION)
    .option(...NOTES)
    .option(...REFERENCE)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (title, options) => (await commands()).createTask(title, options));
  tasks
    .command('update')
    .description('change the given fields of a task')
    .argument(...ID)
    .option('-t, --title <text>', 'what is to be done')
    .option(...DESCRIPTION)
    .option(...NOTES)
    .option(...REFERENCE)
    .addOption(status('where it stands'))
    .option('-b, --branch <name>', 'link a branch; HEAD for the one that is checked out')
    .option('--commit <hash>', 'link a commit: 40 hexadecimal digits, or HEAD')
    .addOption(new Option('--clear <what...>', 'take away').choices(['description', 'notes', 'references']))
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (id, options) => (await commands()).updateTask(id, options));
}

function addImport(tasks: Command): void {
  tasks
    .command('import')
    .description("import the tasks in codebase-mcp's PostgreSQL; tasks imported before stay as they are")
    .argument('<postgres-url>', 'postgres://USER@HOST:PORT/DATABASE; the password may be in PGPASSWORD instead')
    .option(...PROJECT)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (url, options) => (await import('./import.ts')).importTasks(url, options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./tasks.ts');
}
