import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { NewTask, ProjectTask, StatusChange, TaskChange } from '../../core/projects/project-task.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries, Tables } from '../database/tables.ts';
import { type LinkKind, taskIn } from './task-rows.ts';

const FIRST_STATUS = 'need to be done';

export function createTask({ queries }: Engine, { projectId, ...texts }: NewTask): Promise<ProjectTask> {
  const now = Date.now();
  const task: ProjectTask = {
    id: randomUUID(),
    projectId,
    ...texts,
    status: FIRST_STATUS,
    createdAt: now,
    updatedAt: now,
    branch: null,
    commit: null,
    branches: [],
    commits: [],
    statusHistory: [{ from: null, to: FIRST_STATUS, at: now }],
  };
  return queries.transaction().execute(async (transaction) => {
    await insertTask(transaction, task);
    return (await taskIn(transaction, task.id))!;
  });
}

export function addTasks({ queries }: Engine, tasks: readonly ProjectTask[]): Promise<ReadonlySet<string>> {
  return queries.transaction().execute(async (transaction) => {
    const added = new Set<string>();
    for (const task of tasks) if (await insertTask(transaction, task)) added.add(task.id);
    return added;
  });
}

/** Locks a task until the transaction ends, so that of two concurrent changes nothing is lost. */
export function updateTask(
  { queries, kind }: Engine,
  id: string,
  change: TaskChange,
): Promise<ProjectTask | undefined> {
  return queries.transaction().execute(async (transaction) => {
    const row = transaction.selectFrom('project_tasks').select(['status', 'updated_ms']).where('id', '=', id);
    // In SQLite the transaction itself keeps all others out.
    const before = await (kind === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
    if (before === undefined) return undefined;
    const now = Math.max(Date.now(), Number(before.updated_ms) + 1);
    if (Object.values(change).some((value) => value !== undefined))
      await write(transaction, id, { change, before, now });
    return taskIn(transaction, id);
  });
}

interface Writing {
  readonly change: TaskChange;
  readonly before: { readonly status: string };
  /** Milliseconds since 1970; later than any change before. */
  readonly now: number;
}

async function write(queries: Queries, id: string, { change, before, now }: Writing): Promise<void> {
  const { branch, commit, planningReferences, status } = change;
  await queries
    .updateTable('project_tasks')
    .set({ ...columnsOf(change), updated_ms: now })
    .where('id', '=', id)
    .execute();
  if (branch !== undefined) await link(queries, id, 'branch', branch);
  if (commit !== undefined) await link(queries, id, 'commit', commit);
  if (planningReferences !== undefined) await replaceReferences(queries, id, planningReferences);
  if (status !== undefined && status !== before.status) {
    const from = before.status as StatusChange['from'];
    await insertHistory(
      queries,
      id,
      [{ from, to: status, at: now }],
      await nextPlace(queries, 'project_task_history', id),
    );
  }
}

function columnsOf({ title, description, notes, status, branch, commit }: TaskChange) {
  const columns: Updateable<Tables['project_tasks']> = {};
  if (title !== undefined) columns.title = storableText(title);
  if (description !== undefined) columns.description = storable(description);
  if (notes !== undefined) columns.notes = storable(notes);
  if (status !== undefined) columns.status = status;
  if (branch !== undefined) columns.branch = storableText(branch);
  if (commit !== undefined) columns.commit_hash = commit;
  return columns;
}

async function link(queries: Queries, id: string, kind: LinkKind, value: string): Promise<void> {
  await insertLinks(queries, id, { kind, values: [value], from: await nextPlace(queries, 'project_task_links', id) });
}

async function replaceReferences(queries: Queries, id: string, values: readonly string[]): Promise<void> {
  const ofTask = queries.deleteFrom('project_task_links').where('task_id', '=', id);
  await ofTask.where('kind', '=', 'reference').execute();
  await insertLinks(queries, id, { kind: 'reference', values, from: 0 });
}

/** Returns a place behind those of all rows that a task has in a table. */
async function nextPlace(
  queries: Queries,
  table: 'project_task_links' | 'project_task_history',
  id: string,
): Promise<number> {
  const { most } = await queries
    .selectFrom<'project_task_links' | 'project_task_history'>(table)
    .where('task_id', '=', id)
    .select(({ fn }) => fn.max('place').as('most'))
    .executeTakeFirstOrThrow();
  return (most ?? -1) + 1;
}

/** Returns whether the task was not there yet. */
async function insertTask(queries: Queries, task: ProjectTask): Promise<boolean> {
  const insert = queries.insertInto('project_tasks').values({
    id: task.id,
    project_id: task.projectId,
    status: task.status,
    created_ms: task.createdAt,
    updated_ms: task.updatedAt,
    branch: storable(task.branch),
    commit_hash: task.commit,
    title: storableText(task.title),
    description: storable(task.description),
    notes: storable(task.notes),
  });
  const { numInsertedOrUpdatedRows } = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await insertLinks(queries, task.id, { kind: 'branch', values: task.branches, from: 0 });
  await insertLinks(queries, task.id, { kind: 'commit', values: task.commits, from: 0 });
  await insertLinks(queries, task.id, { kind: 'reference', values: task.planningReferences, from: 0 });
  await insertHistory(queries, task.id, task.statusHistory, 0);
  return true;
}

interface NewLinks {
  readonly kind: LinkKind;
  readonly values: readonly string[];
  /** The place of the first one. */
  readonly from: number;
}

async function insertLinks(queries: Queries, taskId: string, { kind, values, from }: NewLinks): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map((value, index) => ({
    task_id: taskId,
    kind,
    value: storableText(value),
    place: from + index,
  }));
  await queries
    .insertInto('project_task_links')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function insertHistory(
  queries: Queries,
  taskId: string,
  changes: readonly StatusChange[],
  from: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ from: before, to, at }, index) => ({
    task_id: taskId,
    place: from + index,
    from_status: before,
    to_status: to,
    changed_ms: at,
  }));
  await queries.insertInto('project_task_history').values(rows).execute();
}

function storable(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
