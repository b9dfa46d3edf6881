import type { ExpressionBuilder, Selectable } from 'kysely';
import type { ProjectTask, TaskPage, TaskQuery, TaskStatus } from '../../core/projects/project-task.ts';
import type { Engine } from '../database/engine.ts';
import { isOfProjects } from '../database/of-projects.ts';
import type { EngineKind, Queries, Tables } from '../database/tables.ts';
import { limitOf } from '../database/values.ts';

type TaskRow = Selectable<Tables['project_tasks']>;
type LinkRow = Selectable<Tables['project_task_links']>;
type HistoryRow = Selectable<Tables['project_task_history']>;
type Builder = ExpressionBuilder<Tables, 'project_tasks'>;

export type LinkKind = 'branch' | 'commit' | 'reference';

export function readTask(engine: Engine, id: string): Promise<ProjectTask | undefined> {
  return inOneState(engine, (queries) => taskIn(queries, id));
}

/** Returns the task as a transaction sees it. */
export async function taskIn(queries: Queries, id: string): Promise<ProjectTask | undefined> {
  const row = await queries.selectFrom('project_tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : (await withParts(queries, [row]))[0];
}

export function readPage(engine: Engine, query: TaskQuery): Promise<TaskPage> {
  return inOneState(engine, async (queries) => {
    const matching = queries.selectFrom('project_tasks').where((builder) => conditions(builder, engine.kind, query));
    const counted = await matching.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
    const rows = await matching
      .selectAll()
      .orderBy('created_ms', 'desc')
      .orderBy('seq', 'desc')
      .limit(limitOf(query.limit))
      .execute();
    return { tasks: await withParts(queries, rows), total: Number(counted.total) };
  });
}

export async function readProjects({ queries }: Engine): Promise<readonly string[]> {
  const rows = await queries.selectFrom('project_tasks').select('project_id').distinct().execute();
  return rows.map(({ project_id }) => project_id);
}

/** Several reads of one state. */
function inOneState<T>({ queries }: Engine, work: (queries: Queries) => Promise<T>): Promise<T> {
  return queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

function conditions(builder: Builder, kind: EngineKind, { projects, statuses, branch }: TaskQuery) {
  return builder.and([
    ...(projects === 'all' ? [] : [isOfProjects(kind, projects)]),
    ...(statuses === undefined ? [] : [builder('status', 'in', statuses)]),
    ...(branch === undefined ? [] : [hasBranch(builder, branch)]),
  ]);
}

function hasBranch(builder: Builder, branch: string) {
  return builder.exists(
    builder
      .selectFrom('project_task_links')
      .select('project_task_links.place')
      .whereRef('project_task_links.task_id', '=', 'project_tasks.id')
      .where('project_task_links.kind', '=', 'branch')
      .where('project_task_links.value', '=', branch),
  );
}

async function withParts(queries: Queries, rows: readonly TaskRow[]): Promise<ProjectTask[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const ofTasks = <Table extends 'project_task_links' | 'project_task_history'>(table: Table) =>
    queries.selectFrom<'project_task_links' | 'project_task_history'>(table).where('task_id', 'in', ids);
  const links = byTask((await ofTasks('project_task_links').selectAll().orderBy('place').execute()) as LinkRow[]);
  const history = byTask(
    (await ofTasks('project_task_history').selectAll().orderBy('place').execute()) as HistoryRow[],
  );
  return rows.map((row) => toTask(row, links.get(row.id) ?? [], history.get(row.id) ?? []));
}

function byTask<Row extends { readonly task_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const known = grouped.get(row.task_id);
    if (known === undefined) grouped.set(row.task_id, [row]);
    else known.push(row);
  }
  return grouped;
}

function toTask(row: TaskRow, links: readonly LinkRow[], history: readonly HistoryRow[]): ProjectTask {
  const linked = (kind: LinkKind) => links.filter((link) => link.kind === kind).map(({ value }) => value);
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    description: row.description,
    notes: row.notes,
    status: row.status as TaskStatus,
    createdAt: Number(row.created_ms),
    updatedAt: Number(row.updated_ms),
    branch: row.branch,
    commit: row.commit_hash,
    branches: linked('branch'),
    commits: linked('commit'),
    planningReferences: linked('reference'),
    statusHistory: history.map(toChange),
  };
}

function toChange({ from_status, to_status, changed_ms }: HistoryRow) {
  return { from: from_status as TaskStatus | null, to: to_status as TaskStatus, at: Number(changed_ms) };
}
