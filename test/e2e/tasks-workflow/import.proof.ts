import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viaduct } from '../../support/gateway.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { HASH, taskGateways } from './setup.ts';

/** As in codebase-mcp, as far as it matters: naive times of UTC. */
const TABLES = `
  create table tasks (id uuid primary key, title varchar(200) not null, description text, notes text,
    status varchar(20) not null, created_at timestamp not null, updated_at timestamp not null);
  create table task_planning_references (id uuid primary key default gen_random_uuid(), task_id uuid not null,
    file_path varchar not null, reference_type varchar not null, created_at timestamp not null);
  create table task_branch_links (id uuid primary key default gen_random_uuid(), task_id uuid not null,
    branch_name varchar not null, created_at timestamp not null);
  create table task_commit_links (id uuid primary key default gen_random_uuid(), task_id uuid not null,
    commit_hash varchar(40) not null, created_at timestamp not null);
  create table task_status_history (id uuid primary key default gen_random_uuid(), task_id uuid not null,
    from_status varchar, to_status varchar not null, changed_at timestamp not null);
`;

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const SECRET = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
const OTHER = HASH.replaceAll('a', 'b');

const ROWS = `
  insert into tasks values
    ('${idOf(1)}', 'Ported', 'Token ${SECRET}', null, 'in-progress', '2025-10-06 12:34:56.789', '2025-10-07 01:02:03.456789'),
    ('${idOf(2)}', 'Blocked', null, null, 'blocked', '2025-10-06 12:00:00', '2025-10-06 12:00:00'),
    ('${idOf(3)}', ' ', null, null, 'complete', '2025-10-06 12:00:00', '2025-10-06 12:00:00'),
    ('${idOf(4)}', 'Bare', null, 'n', 'complete', '2025-10-05 12:00:00', '2025-10-05 12:00:00');
  insert into task_branch_links (task_id, branch_name, created_at) values
    ('${idOf(1)}', 'two', '2025-10-06 13:00:00'), ('${idOf(1)}', 'one', '2025-10-06 12:40:00');
  insert into task_commit_links (task_id, commit_hash, created_at) values
    ('${idOf(1)}', '${HASH}', '2025-10-06 13:00:00'), ('${idOf(1)}', '${OTHER}', '2025-10-06 14:00:00'),
    ('${idOf(1)}', 'short', '2025-10-06 15:00:00');
  insert into task_planning_references (task_id, file_path, reference_type, created_at) values
    ('${idOf(1)}', 'specs/plan.md', 'plan', '2025-10-06 12:34:57'), ('${idOf(1)}', 'specs/a.md', 'spec', '2025-10-06 12:34:56');
  insert into task_status_history (task_id, from_status, to_status, changed_at) values
    ('${idOf(1)}', 'need to be done', 'in-progress', '2025-10-06 13:00:00'),
    ('${idOf(1)}', null, 'need to be done', '2025-10-06 12:34:56.789');
`;

let server: TestPostgres | undefined;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

/** The url of a database of codebase-mcp; its session's zone is not UTC. */
async function foreignDatabase(skip: () => never, statements: string): Promise<string> {
  if (server === undefined) return skip();
  const url = await server.newDatabase();
  const connection = postgres(url, { max: 1 });
  await connection.unsafe(statements);
  await connection.end();
  return `${url}?timezone=America/New_York`;
}

describe.each(KINDS)('viaduct tasks import from codebase-mcp into %s', (kind) => {
  const { newPlace, configOf, envOf, connect } = taskGateways(kind);

  test('takes over the tasks with ids, times, links and history, once', async ({ skip }) => {
    const place = await newPlace(skip);
    const url = await foreignDatabase(skip, TABLES + ROWS);
    const config = configOf(place);
    // Times without a zone are those of UTC, wherever this machine is.
    const env = { ...envOf(place), TZ: 'Asia/Tokyo' };
    const run = (...words: string[]) => viaduct(['tasks', 'import', ...words, '--config', config], env);
    const { code, stdout } = await run(url, '--project', 'acme', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      from: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\/test_\d+$/),
      project: 'acme',
      imported: 2,
      known: 0,
      skipped: [
        { id: idOf(2), what: 'its status is unknown (blocked)' },
        { id: idOf(3), what: 'it has no title' },
      ],
      leftOut: [{ id: idOf(1), what: 'commit_hash "short"' }],
    });
    const call = await connect(place);
    expect(await call('get_task', { task_id: idOf(1) })).toEqual({
      id: idOf(1),
      project_id: 'acme',
      title: 'Ported',
      description: expect.stringMatching(/^Token \[redacted:/),
      notes: null,
      status: 'in-progress',
      created_at: '2025-10-06T12:34:56.789Z',
      updated_at: '2025-10-07T01:02:03.456Z',
      branch: 'two',
      commit: OTHER,
      branches: ['one', 'two'],
      commits: [HASH, OTHER],
      planning_references: ['specs/a.md', 'specs/plan.md'],
      status_history: [
        { from_status: null, to_status: 'need to be done', changed_at: '2025-10-06T12:34:56.789Z' },
        { from_status: 'need to be done', to_status: 'in-progress', changed_at: '2025-10-06T13:00:00.000Z' },
      ],
    });
    expect(await call('get_task', { task_id: idOf(4) })).toMatchObject({
      notes: 'n',
      status_history: [{ from_status: null, to_status: 'complete', changed_at: '2025-10-05T12:00:00.000Z' }],
    });
    const changed = await call('update_task', { task_id: idOf(1), title: 'Ours by now' });
    const again = await run(url, '--project', 'other');
    expect(again.stdout).toContain('0 tasks imported');
    expect(again.stdout).toContain('2 were imported before.');
    expect(again.stdout).toContain('2 tasks skipped:');
    expect(await call('get_task', { task_id: idOf(1) })).toEqual(changed);
    expect(await call('list_tasks', { all: true })).toMatchObject({ total_count: 2 });
  });

  test('takes over more than fits into one step, into the project of the folder', async ({ skip }) => {
    const place = await newPlace(skip);
    const many = Array.from({ length: 250 }, (_, index) => {
      const time = `timestamp '2025-01-01' + interval '${index} minutes'`;
      return `('${idOf(index)}', 'task ${index}', null, null, 'complete', ${time}, ${time})`;
    });
    const url = await foreignDatabase(skip, `${TABLES} insert into tasks values ${many.join(', ')};`);
    const { stdout } = await viaduct(['tasks', 'import', url, '--config', configOf(place), '--json'], envOf(place));
    const { imported, project } = JSON.parse(stdout);
    expect(imported).toBe(250);
    const list = await (await connect(place))('list_tasks', { project_id: project, limit: 2 });
    expect(list).toMatchObject({ tasks: [{ title: 'task 249' }, { title: 'task 248' }], total_count: 250 });
  });

  test('says what is wrong with the other database, and never its password', async ({ skip }) => {
    const place = await newPlace(skip);
    const bare = await foreignDatabase(skip, 'select 1');
    const failing = async (...words: string[]) => {
      const ran = await viaduct(['tasks', 'import', ...words, '--config', configOf(place)], envOf(place));
      expect(ran.code).not.toBe(0);
      return ran.stdout + ran.stderr;
    };
    expect(await failing(bare)).toMatch(/has no table "tasks": is it codebase-mcp's\?/);
    expect(await failing('mysql://x')).toContain('write postgres://');
    const away = await failing('postgres://me:hidden-word@127.0.0.1:1/x');
    expect(away).toContain('PostgreSQL at 127.0.0.1:1/x cannot be reached');
    expect(away).not.toContain('hidden-word');
    expect(await failing(bare, '--project', 'a/b')).toContain('--project must match');
  });

  test('knows the later columns and tables that are not there', async ({ skip }) => {
    const place = await newPlace(skip);
    const url = await foreignDatabase(
      skip,
      `create table tasks (id uuid primary key, title text, status text, item_type text, deleted_at timestamptz,
         created_at timestamptz not null);
       insert into tasks values
         ('${idOf(1)}', 'kept', 'complete', 'task', null, '2025-10-06 12:00:00+02'),
         ('${idOf(2)}', 'gone', 'complete', 'task', now(), now()),
         ('${idOf(3)}', 'a session', 'complete', 'session', null, now());`,
    );
    const words = ['tasks', 'import', url, '--project', 'acme', '--config', configOf(place), '--json'];
    const { imported, skipped } = JSON.parse((await viaduct(words, envOf(place))).stdout);
    expect([imported, skipped.map(({ what }: any) => what).sort()]).toEqual([
      1,
      ['it is no task (session)', 'it was deleted'],
    ]);
    expect(await (await connect(place))('get_task', { task_id: idOf(1) })).toMatchObject({
      created_at: '2025-10-06T10:00:00.000Z',
      updated_at: '2025-10-06T10:00:00.000Z',
    });
  });
});
