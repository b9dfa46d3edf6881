import { z } from 'zod';
import { type ProjectTask, TASK_STATUSES } from '../../core/projects/project-task.ts';

const status = z.enum(TASK_STATUSES);
const time = z.string().describe('RFC 3339, UTC');

const summarySchema = z.object({
  id: z.string(),
  title: z.string(),
  status,
  created_at: time,
  updated_at: time,
});

/** A task as clients get it. */
export const recordSchema = summarySchema.extend({
  project_id: z.string(),
  description: z.string().nullable(),
  notes: z.string().nullable(),
  branch: z.string().nullable().describe('The branch that was linked last'),
  commit: z.string().nullable().describe('The commit that was linked last'),
  branches: z.array(z.string()).describe('All linked branches, the first one first'),
  commits: z.array(z.string()).describe('All linked commits, the first one first'),
  planning_references: z.array(z.string()),
  status_history: z
    .array(z.object({ from_status: status.nullable(), to_status: status, changed_at: time }))
    .describe('The oldest first'),
});

/** A task in a list, which has the rest of a record only with full details. */
export const listedSchema = recordSchema.partial().required({
  id: true,
  title: true,
  status: true,
  created_at: true,
  updated_at: true,
});

export type TaskSummary = z.output<typeof summarySchema>;
export type TaskRecord = z.output<typeof recordSchema>;

export function toSummary({ id, title, status, createdAt, updatedAt }: ProjectTask): TaskSummary {
  return { id, title, status, created_at: timeText(createdAt), updated_at: timeText(updatedAt) };
}

export function toRecord(task: ProjectTask): TaskRecord {
  const { id, title, status, created_at, updated_at } = toSummary(task);
  return {
    id,
    project_id: task.projectId,
    title,
    description: task.description,
    notes: task.notes,
    status,
    created_at,
    updated_at,
    branch: task.branch,
    commit: task.commit,
    branches: [...task.branches],
    commits: [...task.commits],
    planning_references: [...task.planningReferences],
    status_history: task.statusHistory.map(({ from, to, at }) => ({
      from_status: from,
      to_status: to,
      changed_at: timeText(at),
    })),
  };
}

const timeText = (at: number): string => new Date(at).toISOString();
