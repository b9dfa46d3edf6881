import { z } from 'zod';
import { line } from './one-line.ts';

/** The open tasks of a project in the workflow `tasks`. */
export const openTasksSchema = z.object({
  total: z.number().describe('How many tasks are not complete'),
  tasks: z
    .array(z.object({ id: z.string(), title: z.string(), status: z.string() }))
    .describe('Some of them, those in progress first; list_tasks gives all'),
});

export type OpenTasks = z.output<typeof openTasksSchema>;

const HEADING = '## Open tasks';
const BOXES: Readonly<Record<string, string>> = { 'in-progress': '[~]' };

/** Returns the section of a briefing. */
export function renderOpenTasks({ total, tasks }: OpenTasks): string {
  const lines = tasks.map(({ id, title, status }) => `- ${BOXES[status] ?? '[ ]'} ${id}: ${line(title)}`);
  if (total > tasks.length) lines.push(`(${total - tasks.length} more: list_tasks)`);
  return `${HEADING}\n\n${lines.join('\n')}`;
}
