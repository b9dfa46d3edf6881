import { type Command, Option } from 'commander';
import { TASK_STATUSES } from '../../core/projects/project-task.ts';
import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

const PROJECT = ['-p, --project <id>', 'id of the project (default: the project of this folder)'] as const;
const DESCRIPTION = ['-d, --description <text>', 'details of the task'] as const;
const NOTES = ['-n, --notes <text>', 'notes or context'] as const;
const REFERENCE = ['-r, --reference <path...>', 'relative paths of planning documents'] as const;
const ID = ['<id>', 'id of the task, as listed by "viaduct tasks list"'] as const;
const status = (what: string) => new Option('-s, --status <status>', what).choices(TASK_STATUSES);

export const tasksCommand = defineCommand({
  name: 'tasks',
  description: 'list, create and change the tasks of a project',
  configure: (command) => {
    addReading(command);
    addWriting(command);
    addImport(command);
  },
});

function addReading(tasks: Command): void {
  tasks
    .command('list')
    .description('list the tasks of a project, most recently created first')
    .option(...PROJECT)
    .option('-a, --all', 'tasks of all projects')
    .addOption(status('only tasks with this status'))
    .option('-b, --branch <name>', 'only tasks linked to this branch; HEAD is the branch that is checked out')
    .option('-l, --limit <number>', 'maximum number of tasks, up to 100', wholeNumber(1, 100), 20)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await import('./tasks.ts')).listTasks(options));
  tasks
    .command('show')
    .description('show a task')
    .argument(...ID)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (id, options) => (await import('./tasks.ts')).showTask(id, options));
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
    .action(async (title, options) => (await import('./tasks.ts')).createTask(title, options));
  tasks
    .command('update')
    .description('change the given fields of a task')
    .argument(...ID)
    .option('-t, --title <text>', 'what is to be done')
    .option(...DESCRIPTION)
    .option(...NOTES)
    .option(...REFERENCE)
    .addOption(status('new status'))
    .option('-b, --branch <name>', 'link a branch; HEAD is the branch that is checked out')
    .option('--commit <hash>', 'link a commit: 40 hexadecimal digits, or HEAD')
    .addOption(new Option('--clear <what...>', 'fields to remove').choices(['description', 'notes', 'references']))
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (id, options) => (await import('./tasks.ts')).updateTask(id, options));
}

function addImport(tasks: Command): void {
  tasks
    .command('import')
    .description("import the tasks in codebase-mcp's PostgreSQL; tasks imported before stay unchanged")
    .argument('<postgres-url>', 'postgres://USER@HOST:PORT/DATABASE; the password can be in PGPASSWORD instead')
    .option(...PROJECT)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (url, options) => (await import('./import.ts')).importTasks(url, options));
}
