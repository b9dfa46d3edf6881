import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Build, BuildEnd, BuildQuery, BuildStatus, NewBuild } from '../../core/stores/build-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import type { Engine } from '../database/engine.ts';
import { isOfProjects } from '../database/of-projects.ts';
import type { EngineKind, Tables } from '../database/tables.ts';
import { boundOf, limitOf } from '../database/values.ts';

type Row = Selectable<Tables['builds']>;
type Builder = ExpressionBuilder<Tables, 'builds'>;

const RUNNING: BuildStatus = 'running';

export async function insertBuild({ queries }: Engine, build: NewBuild): Promise<void> {
  await queries
    .insertInto('builds')
    .values({
      id: build.id,
      project_id: build.projectId ?? null,
      repo: storableText(build.repo),
      branch: storableText(build.branch),
      status: RUNNING,
      command: storableText(build.command),
      runner: build.runner ?? null,
      machine: build.machine,
      host: storableText(build.host),
      exit_code: null,
      started_ms: build.startedMs,
      ended_ms: null,
      log_fault: null,
    })
    .execute();
}

export async function endBuild(
  { queries }: Engine,
  id: string,
  { status, exitCode, endedMs, logFault }: BuildEnd,
): Promise<void> {
  await queries
    .updateTable('builds')
    .set({
      status,
      exit_code: exitCode ?? null,
      ended_ms: endedMs,
      log_fault: logFault === undefined ? null : storableText(logFault),
    })
    .where('id', '=', id)
    .where('status', '=', RUNNING)
    .execute();
}

export async function readBuild({ queries }: Engine, id: string): Promise<Build | undefined> {
  const row = await queries.selectFrom('builds').selectAll().where('id', '=', storableText(id)).executeTakeFirst();
  return row === undefined ? undefined : toBuild(row);
}

export async function readBuilds({ queries, kind }: Engine, query: BuildQuery): Promise<readonly Build[]> {
  const rows = await queries
    .selectFrom('builds')
    .selectAll()
    .where((builder) => conditions(builder, kind, query))
    .orderBy('started_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(limitOf(query.limit))
    .execute();
  return rows.map(toBuild);
}

export async function readProjects({ queries }: Engine): Promise<readonly (string | undefined)[]> {
  const rows = await queries.selectFrom('builds').select('project_id').distinct().execute();
  return rows.map(({ project_id }) => project_id ?? undefined);
}

/** Removes the oldest ended builds. If two gateways do so at once, each gets the ids of those that it has removed. */
export async function pruneBuilds({ queries }: Engine, machine: string, keep: number): Promise<readonly string[]> {
  const ended = queries
    .selectFrom('builds')
    .select('seq')
    .where('machine', '=', machine)
    .where('status', '!=', RUNNING);
  const oldestKept = await ended
    .orderBy('seq', 'desc')
    .offset(Math.max(0, keep - 1))
    .limit(1)
    .executeTakeFirst();
  if (oldestKept === undefined) return [];
  const removed = await queries
    .deleteFrom('builds')
    .where('machine', '=', machine)
    .where('status', '!=', RUNNING)
    .where('seq', keep === 0 ? '<=' : '<', oldestKept.seq)
    .returning('id')
    .execute();
  return removed.map(({ id }) => id);
}

function conditions(builder: Builder, kind: EngineKind, { projects, repo, since }: BuildQuery) {
  return builder.and([
    ...(projects === undefined ? [] : [isOfProjects(kind, projects)]),
    ...(repo === undefined ? [] : [builder('repo', '=', storableText(repo))]),
    ...(since === undefined ? [] : [builder('started_ms', '>=', boundOf(since))]),
  ]);
}

function toBuild(row: Row): Build {
  return {
    id: row.id,
    projectId: row.project_id ?? undefined,
    repo: row.repo,
    branch: row.branch,
    status: row.status as BuildStatus,
    command: row.command,
    runner: row.runner ?? undefined,
    machine: row.machine,
    host: row.host,
    exitCode: row.exit_code ?? undefined,
    startedMs: Number(row.started_ms),
    endedMs: row.ended_ms === null ? undefined : Number(row.ended_ms),
    logFault: row.log_fault ?? undefined,
  };
}
