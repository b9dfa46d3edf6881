import path from 'node:path';
import { z } from 'zod';
import { TASK_LIMITS, TASK_STATUSES } from '../../core/projects/project-task.ts';
import { characterCount } from '../../core/text/character-count.ts';
import { projectIdArgument } from '../define-project-tool.ts';

const HASH = 'Expected 40-character hexadecimal SHA-1, or HEAD';

/** A text with a limit in characters as people count them, which is how JSON Schema counts. */
function text(most: number) {
  return z
    .string()
    .refine((value) => characterCount(value) <= most, { message: `must have at most ${most} characters` })
    .meta({ maxLength: most });
}

/** The same with something in it. */
function someText(most: number) {
  return text(most)
    .refine((value) => value.trim() !== '', { message: 'must not be blank' })
    .meta({ minLength: 1, maxLength: most });
}

const title = someText(TASK_LIMITS.title);
const description = text(TASK_LIMITS.description).nullable();
const notes = text(TASK_LIMITS.notes).nullable();
const references = z
  .array(
    someText(TASK_LIMITS.reference).refine((reference) => !isAbsolute(reference), {
      message: 'must be a relative path',
    }),
  )
  .max(TASK_LIMITS.references, { message: `must have at most ${TASK_LIMITS.references} items` })
  .nullable();
const status = z.enum(TASK_STATUSES);
const branch = someText(TASK_LIMITS.branch);
const commit = z.string().regex(/^(?:[a-f0-9]{40}|HEAD)$/, { message: HASH });

const taskId = z.guid({ message: 'must be a uuid' }).describe('Id of the task, as list_tasks gives it');
const ownProject = projectIdArgument.describe('Id of the project that the task must belong to; any project if missing');

export const getArguments = z.strictObject({ task_id: taskId, project_id: ownProject });

export const listArguments = z.strictObject({
  status: status.optional().describe('Only tasks with this status'),
  branch: branch.optional().describe('Only tasks linked to exactly this branch; HEAD for the one that is checked out'),
  limit: z.int().min(1).max(100).default(20).describe('Maximum number of tasks'),
  full_details: z.boolean().default(true).describe('false leaves only id, title, status and times'),
  project_id: projectIdArgument,
  all: z.boolean().optional().describe('Tasks of all projects that you may see'),
});

export const createArguments = z.strictObject({
  title: title.describe('The work to do, in one line'),
  description: description.optional().describe('Details'),
  notes: notes.optional().describe('Remarks and context'),
  planning_references: references.optional().describe('Relative paths of planning documents'),
  project_id: projectIdArgument,
});

export const updateArguments = z.strictObject({
  task_id: taskId,
  title: title.optional(),
  description: description.optional().describe('null removes it'),
  notes: notes.optional().describe('null removes them'),
  planning_references: references.optional().describe('Replace the existing ones; null removes all'),
  status: status.optional(),
  branch: branch.optional().describe('Git branch to link; HEAD for the one that is checked out where you work'),
  commit: commit.optional().describe('Git commit to link: 40 hexadecimal digits, or HEAD'),
  project_id: ownProject,
});

/** On any system: tasks are shared between them. */
function isAbsolute(reference: string): boolean {
  return path.posix.isAbsolute(reference) || path.win32.isAbsolute(reference) || /^[A-Za-z]:/.test(reference);
}
