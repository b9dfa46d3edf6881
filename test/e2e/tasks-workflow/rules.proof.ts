import { describe, expect, test } from 'vitest';
import { newRepository } from '../../support/git-repository.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { type Call, HASH, ISO, taskGateways, UNKNOWN_ID } from './setup.ts';

const P = { project_id: 'acme' };
const CRABS = '\u{1F980}';
const longText = (characters: number) => CRABS.repeat(characters);

type Row = readonly [rule: string, tool: string, args: object, message: RegExp];

/** Arguments that are refused by a JSON-RPC error -32602 with this message. */
const REFUSED: readonly Row[] = [
  ['no id', 'get_task', {}, /missing or empty required string arg: task_id/],
  ['an empty id', 'get_task', { task_id: '' }, /missing or empty required string arg: task_id/],
  ['an id that is no uuid', 'get_task', { task_id: 'task-1' }, /invalid arg: task_id: must be a uuid/],
  ['an id that is a number', 'get_task', { task_id: 5 }, /required string arg: task_id/],
  [
    'more than it takes',
    'get_task',
    { task_id: UNKNOWN_ID, title: 'x' },
    /unknown arg: "title": the tool takes task_id/,
  ],
  ['a status of its own', 'list_tasks', { ...P, status: 'done' }, /invalid arg: status: .*need to be done/],
  ['a limit of 0', 'list_tasks', { ...P, limit: 0 }, /invalid arg: limit: /],
  ['a limit of 101', 'list_tasks', { ...P, limit: 101 }, /invalid arg: limit: /],
  ['half a limit', 'list_tasks', { ...P, limit: 1.5 }, /invalid arg: limit: /],
  ['a limit as a text', 'list_tasks', { ...P, limit: '5' }, /invalid arg: limit: /],
  ['a branch of 201', 'list_tasks', { ...P, branch: longText(201) }, /branch: must have at most 200 characters/],
  ['a blank branch', 'list_tasks', { ...P, branch: ' ' }, /branch: must not be blank/],
  ['a project that is none', 'list_tasks', { project_id: 'a/b' }, /invalid arg: project_id: must match/],
  ['a project and all', 'list_tasks', { ...P, all: true }, /invalid arg: all: .*not both/],
  ['full_details as a text', 'list_tasks', { ...P, full_details: 'no' }, /invalid arg: full_details/],
  ['an unknown argument', 'list_tasks', { ...P, offset: 5 }, /unknown arg: "offset"/],
  ['no title', 'create_task', P, /missing or empty required string arg: title/],
  ['an empty title', 'create_task', { ...P, title: '' }, /missing or empty required string arg: title/],
  ['a blank title', 'create_task', { ...P, title: ' \n' }, /invalid arg: title: must not be blank/],
  ['no title but null', 'create_task', { ...P, title: null }, /required string arg: title/],
  ['a title of 201', 'create_task', { ...P, title: longText(201) }, /title: must have at most 200 characters/],
  [
    'a description of 2001',
    'create_task',
    { ...P, title: 't', description: longText(2_001) },
    /at most 2000 characters/,
  ],
  ['notes of 5001', 'create_task', { ...P, title: 't', notes: longText(5_001) }, /at most 5000 characters/],
  ['11 references', 'create_task', { ...P, title: 't', planning_references: Array(11).fill('a') }, /at most 10 items/],
  [
    'a reference of 501',
    'create_task',
    { ...P, title: 't', planning_references: [longText(501)] },
    /\[0\]: .*500 char/,
  ],
  [
    'a blank reference',
    'create_task',
    { ...P, title: 't', planning_references: ['a', ''] },
    /\[1\]: must not be blank/,
  ],
  ['an absolute path', 'create_task', { ...P, title: 't', planning_references: ['/etc/passwd'] }, /be a relative path/],
  ['a drive', 'create_task', { ...P, title: 't', planning_references: ['C:\\a.md'] }, /be a relative path/],
  ['a share', 'create_task', { ...P, title: 't', planning_references: ['\\\\a\\b'] }, /be a relative path/],
  ['a status at birth', 'create_task', { ...P, title: 't', status: 'complete' }, /unknown arg: "status"/],
  ['a branch at birth', 'create_task', { ...P, title: 't', branch: 'main' }, /unknown arg: "branch"/],
  ['no id to change', 'update_task', { title: 't' }, /missing or empty required string arg: task_id/],
  ['a title of null', 'update_task', { task_id: UNKNOWN_ID, title: null }, /invalid arg: title/],
  ['a new title of 201', 'update_task', { task_id: UNKNOWN_ID, title: longText(201) }, /at most 200 characters/],
  ['a blank new title', 'update_task', { task_id: UNKNOWN_ID, title: '' }, /title: must not be blank/],
  ['a new status of its own', 'update_task', { task_id: UNKNOWN_ID, status: 'complet' }, /invalid arg: status/],
  ['a branch of null', 'update_task', { task_id: UNKNOWN_ID, branch: null }, /invalid arg: branch/],
  ['a branch with 201', 'update_task', { task_id: UNKNOWN_ID, branch: longText(201) }, /at most 200 characters/],
  [
    '39 digits',
    'update_task',
    { task_id: UNKNOWN_ID, commit: HASH.slice(1) },
    /Expected 40-character hexadecimal SHA-1/,
  ],
  ['capital digits', 'update_task', { task_id: UNKNOWN_ID, commit: HASH.toUpperCase() }, /40-character hexadecimal/],
  ['a short hash', 'update_task', { task_id: UNKNOWN_ID, commit: 'abc123...' }, /40-character hexadecimal SHA-1/],
  ['head in small letters', 'update_task', { task_id: UNKNOWN_ID, commit: 'head' }, /40-character hexadecimal/],
  ['a time of its own', 'update_task', { task_id: UNKNOWN_ID, created_at: 'x' }, /unknown arg: "created_at"/],
];

describe.each(KINDS)('the rules of the task tools on %s', (kind) => {
  const { newPlace, connect } = taskGateways(kind);

  test('refuse what does not fit', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    for (const [rule, tool, args, message] of REFUSED) {
      const answer = await call(tool, args);
      expect(answer, rule).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    }
    expect(await call('list_tasks', P)).toEqual({ tasks: [], total_count: 0 });
  });

  test('take all up to the limits, and give it back as it was', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const texts = {
      title: longText(200),
      description: longText(2_000),
      notes: longText(5_000),
      planning_references: [longText(500), ...Array.from('23456789a')],
    };
    const made = await call('create_task', { ...P, ...texts });
    expect(made).toMatchObject({ ...texts, project_id: 'acme' });
    expect(await call('get_task', { task_id: made.id.toUpperCase() })).toEqual(made);
    const linked = await call('update_task', { task_id: made.id, branch: longText(200) });
    expect(linked.branches).toEqual([longText(200)]);
    expect(await call('list_tasks', { ...P, branch: longText(200), limit: 100 })).toEqual({
      tasks: [linked],
      total_count: 1,
    });
  });

  test('create a task with nothing but a title', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const time = expect.stringMatching(ISO);
    const bare = {
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      project_id: 'acme',
      title: 't',
      description: null,
      notes: null,
      status: 'need to be done',
      created_at: time,
      updated_at: time,
      branch: null,
      commit: null,
      branches: [],
      commits: [],
      planning_references: [],
      status_history: [{ from_status: null, to_status: 'need to be done', changed_at: time }],
    };
    expect(await call('create_task', { ...P, title: 't' })).toEqual(bare);
    const nothing = { description: null, notes: null, planning_references: null };
    expect(await call('create_task', { ...P, title: 't', ...nothing })).toEqual(bare);
  });

  test('change what is given, and clear by null', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const made = await call('create_task', {
      ...P,
      title: 't',
      description: 'd',
      notes: 'n',
      planning_references: ['a'],
    });
    const change = (args: object) => call('update_task', { task_id: made.id, ...args });
    expect(await change({})).toEqual(made);
    const { updated_at: _then, ...same } = made;
    const titled = await change({ title: 'u' });
    expect(titled).toMatchObject({ ...same, title: 'u' });
    expect(titled.updated_at > made.updated_at).toBe(true);
    expect(await change({ description: null })).toMatchObject({ description: null, notes: 'n' });
    expect(await change({ notes: null })).toMatchObject({ notes: null, planning_references: ['a'] });
    expect(await change({ planning_references: ['c', 'b'] })).toMatchObject({ planning_references: ['c', 'b'] });
    expect(await change({ planning_references: null })).toMatchObject({ planning_references: [] });
    expect(await change({ description: '' })).toMatchObject({
      description: '',
      title: 'u',
      created_at: made.created_at,
    });
  });

  test('add branches and commits, each once, and tell the last', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const { id } = await call('create_task', { ...P, title: 't' });
    const other = HASH.replaceAll('a', 'b');
    const change = (args: object) => call('update_task', { task_id: id, ...args });
    await change({ branch: 'one', commit: HASH });
    await change({ branch: 'two', commit: other });
    expect(await change({ branch: 'two' })).toMatchObject({ branch: 'two', branches: ['one', 'two'] });
    expect(await change({ branch: 'one', commit: HASH })).toMatchObject({
      branch: 'one',
      branches: ['one', 'two'],
      commit: HASH,
      commits: [HASH, other],
    });
  });

  test('keep the history of the status', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const { id } = await call('create_task', { ...P, title: 't' });
    const statuses = ['in-progress', 'in-progress', 'complete', 'in-progress', 'need to be done'];
    for (const status of statuses) await call('update_task', { task_id: id, status });
    const { status_history: history } = await call('get_task', { task_id: id });
    expect(history.map((change: any) => [change.from_status, change.to_status])).toEqual([
      [null, 'need to be done'],
      ['need to be done', 'in-progress'],
      ['in-progress', 'complete'],
      ['complete', 'in-progress'],
      ['in-progress', 'need to be done'],
    ]);
    const times = history.map((change: any) => change.changed_at);
    expect(times.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual(times);
  });

  test('list the newest first, filtered, and count before the limit', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const ids: string[] = [];
    for (let count = 1; count <= 25; count++) ids.push((await call('create_task', { ...P, title: `${count}` })).id);
    await call('create_task', { project_id: 'other', title: 'other' });
    await call('update_task', { task_id: ids[0], branch: 'feature/a', status: 'complete' });
    await call('update_task', { task_id: ids[1], branch: 'feature/ab', status: 'complete' });
    const titles = async (args: object) => {
      const { tasks, total_count } = await call('list_tasks', args);
      return [tasks.map(({ title }: any) => title).join(' '), total_count];
    };
    expect(await titles(P)).toEqual(['25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6', 25]);
    expect(await titles({ ...P, limit: 2 })).toEqual(['25 24', 25]);
    expect(await titles({ ...P, status: 'complete' })).toEqual(['2 1', 2]);
    expect(await titles({ ...P, status: 'complete', limit: 1 })).toEqual(['2', 2]);
    expect(await titles({ ...P, status: 'in-progress' })).toEqual(['', 0]);
    expect(await titles({ ...P, branch: 'feature/a' })).toEqual(['1', 1]);
    expect(await titles({ ...P, branch: 'feature' })).toEqual(['', 0]);
    expect(await titles({ ...P, branch: 'feature/%' })).toEqual(['', 0]);
    expect(await titles({ all: true, limit: 2 })).toEqual(['other 25', 26]);
    const { tasks } = await call('list_tasks', { ...P, limit: 1, full_details: false });
    expect(Object.keys(tasks[0]).sort()).toEqual(['created_at', 'id', 'status', 'title', 'updated_at']);
  });

  test('say of a task that is not there, or of another project, that it is not found', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const { id } = await call('create_task', { ...P, title: 't' });
    const notFound = { isError: true, text: 'Task not found.' };
    expect(await call('get_task', { task_id: UNKNOWN_ID })).toEqual(notFound);
    expect(await call('update_task', { task_id: UNKNOWN_ID, title: 'x' })).toEqual(notFound);
    expect(await call('get_task', { task_id: id, project_id: 'other' })).toEqual(notFound);
    expect(await call('update_task', { task_id: id, project_id: 'other', title: 'x' })).toEqual(notFound);
    expect(await call('update_task', { task_id: id, ...P, title: 'x' })).toMatchObject({ title: 'x' });
  });

  test('belong to the project of the folder', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const [one, other] = [newRepository(), newRepository()];
    const made = await call('create_task', { title: 'here' }, one);
    expect(made.project_id).toMatch(/^path-/);
    expect(await call('list_tasks', {}, `${one}/src`)).toMatchObject({ tasks: [{ id: made.id }], total_count: 1 });
    expect(await call('list_tasks', {}, other)).toEqual({ tasks: [], total_count: 0 });
    expect(await call('list_tasks', { project_id: made.project_id }, other)).toMatchObject({ total_count: 1 });
  });

  test('take secrets out of the texts, unless the config says otherwise', async ({ skip }) => {
    const place = await newPlace(skip);
    const secret = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    const texts = { title: `use ${secret}`, description: `d ${secret}`, notes: `n ${secret}` };
    const clean = async (call: Call) => {
      const made = await call('create_task', { ...P, ...texts });
      const changed = await call('update_task', { task_id: made.id, ...texts });
      return JSON.stringify([made, changed]).includes(secret);
    };
    expect(await clean(await connect(place))).toBe(false);
    expect(await clean(await connect(place, { workflows: { tasks: { redaction: 'off' } } }))).toBe(true);
  });
});
