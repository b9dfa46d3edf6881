import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { checkpointSetup } from './checkpoint-setup.ts';

const project_id = 'p';
const save = (todo: string, more: object = {}) => ({
  project_id,
  source_ide: 'cursor',
  bundle_patch: { todos: [{ id: todo, text: todo }] },
  ...more,
});
const DEBOUNCED = { saved: false, reason: 'debounced' };

function setup(options?: object) {
  const all = checkpointSetup(options);
  const stored = async () => (await all.store.load(project_id))?.bundle as any;
  const todos = async () => (await stored())?.todos.map((todo: any) => todo.id);
  return { ...all, stored, todos };
}

describe('a second save within the window', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  test('waits, and is there for whoever looks', async () => {
    const { call, todos } = setup();
    expect(await call('save_checkpoint', save('a'))).toMatchObject({ saved: true, bundle_id: 'bnd_1' });
    expect(await call('save_checkpoint', save('b'))).toEqual(DEBOUNCED);
    expect(await call('save_checkpoint', save('c'))).toEqual(DEBOUNCED);
    expect(await todos()).toEqual(['a']);
    const { bundle } = await call('load_checkpoint', { project_id });
    expect(bundle.todos.map((todo: any) => todo.id)).toEqual(['a', 'b', 'c']);
    expect(bundle.bundle_id).toBe('bnd_2');
  });

  test('is written when the window ends', async () => {
    const { call, todos } = setup({ debounceMs: 40 });
    await call('save_checkpoint', save('a'));
    expect(await call('save_checkpoint', save('b'))).toEqual(DEBOUNCED);
    await vi.advanceTimersByTimeAsync(39);
    expect(await todos()).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(await todos()).toEqual(['a', 'b']);
  });

  test('is written when the workflow stops, before the store is closed', async () => {
    const { call, todos, workflow, store } = setup();
    await call('save_checkpoint', save('a'));
    await call('save_checkpoint', save('b'));
    await workflow.stop();
    expect(await todos()).toEqual(['a', 'b']);
    expect(store.isClosed).toBe(true);
  });

  test('goes before one that is forced, and before one of another IDE', async () => {
    const { call, todos } = setup();
    await call('save_checkpoint', save('a'));
    await call('save_checkpoint', save('b'));
    expect(await call('save_checkpoint', save('c', { force: true }))).toMatchObject({ saved: true });
    await call('save_checkpoint', save('d'));
    expect(await call('save_checkpoint', save('e', { source_ide: 'kiro' }))).toMatchObject({ saved: true });
    expect(await todos()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('of another project does not wait', async () => {
    const { call } = setup();
    await call('save_checkpoint', save('a'));
    expect(await call('save_checkpoint', save('b', { project_id: 'q' }))).toMatchObject({ saved: true });
  });

  test('that is not valid is refused at once', async () => {
    const { call } = setup();
    await call('save_checkpoint', save('a'));
    const refused = await call('save_checkpoint', save('b', { bundle_patch: { todos: [{ text: 'no id' }] } }));
    expect(refused).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('bundle_patch.todos[0].id'),
    });
    await call('load_checkpoint', { project_id });
  });

  test('goes on waiting while the store fails', async () => {
    const { call, store, todos } = setup({ debounceMs: 40 });
    await call('save_checkpoint', save('a'));
    await call('save_checkpoint', save('b'));
    store.failure = new GatewayError('INTERNAL', 'the disk is full');
    await call('load_checkpoint', { project_id });
    expect(await todos()).toEqual(['a']);
    store.failure = undefined;
    await vi.advanceTimersByTimeAsync(40);
    expect(await todos()).toEqual(['a', 'b']);
  });

  test('there is none after a save that failed', async () => {
    const { call, store } = setup();
    store.failure = new GatewayError('INTERNAL', 'the disk is full');
    expect(await call('save_checkpoint', save('a'))).toMatchObject({ message: 'the disk is full' });
    store.failure = undefined;
    expect(await call('save_checkpoint', save('a'))).toMatchObject({ saved: true });
  });
});

describe('secrets', () => {
  const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

  test('are taken out of saves and of what is appended', async () => {
    const { call, stored } = setup();
    await call('save_checkpoint', save('a', { bundle_patch: { conversation: { summary: `use ${TOKEN}` } } }));
    await call('append_decision', { project_id, text: `the token is ${TOKEN}` });
    await call('append_todo', { project_id, text: `rotate ${TOKEN}` });
    await call('update_todo', { project_id, todo_id: 't1', text: `revoke ${TOKEN}` });
    expect(JSON.stringify(await stored())).not.toContain(TOKEN);
    expect((await stored()).metadata.redactions).toHaveLength(3);
  });

  test('stay where the config says so for this project', async () => {
    const { call, stored } = setup({ projects: { p: { redaction: 'off' } } });
    await call('append_decision', { project_id, text: TOKEN });
    expect((await stored()).decisions[0].text).toBe(TOKEN);
  });
});

describe('appending', () => {
  test('is never debounced, and counts as of the IDE that saved before where nobody knows the client', async () => {
    const { call } = setup();
    await call('save_checkpoint', save('a'));
    expect(await call('append_decision', { project_id, text: 'x' })).toEqual({ ok: true, decision_id: 'd1' });
    expect(await call('append_decision', { project_id, text: 'y' })).toEqual({ ok: true, decision_id: 'd2' });
    expect((await call('list_projects')).projects).toMatchObject([{ project_id, last_source_ide: 'cursor' }]);
    await call('append_todo', { project_id, text: 'z' }, { name: 'claude-code' });
    expect((await call('list_projects')).projects).toMatchObject([{ last_source_ide: 'claude-code' }]);
  });

  test('counts as of the one that saved before, also where another process wrote that', async () => {
    const { call, store, stored } = setup();
    await call('save_checkpoint', save('a'));
    const facts = { sourceIde: 'kiro', kind: 'save' };
    await store.update(project_id, facts, (bundle) => ({ bundle: { ...bundle, plan_steps: ['b'] }, outcome: 0 }));
    await call('append_todo', { project_id, text: 'c' });
    expect((await stored()).last_source_ide).toBe('kiro');
  });

  test('a todo is changed in its place, and completed', async () => {
    const { call } = setup();
    await call('append_todo', { project_id, text: 'z' });
    expect(await call('update_todo', { project_id, todo_id: 't1', status: 'in_progress' })).toEqual({
      ok: true,
      todo_id: 't1',
      status: 'in_progress',
    });
    expect(await call('complete_todo', { project_id, todo_id: 't1' })).toMatchObject({ status: 'done' });
    expect(await call('complete_todo', { project_id, todo_id: 't9' })).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('history', () => {
  test('is listed, loaded and compared', async () => {
    const { call } = setup();
    await call('save_checkpoint', save('a'));
    await call('append_decision', { project_id, text: 'x' });
    const { checkpoints } = await call('list_checkpoints', { project_id });
    expect(checkpoints).toMatchObject([
      { revision: 2, kind: 'append' },
      { revision: 1, kind: 'save', source_ide: 'cursor' },
    ]);
    expect((await call('load_checkpoint', { project_id, revision: 1 })).bundle).not.toHaveProperty('decisions');
    const diff = await call('diff_checkpoints', { project_id });
    expect(diff).toMatchObject({ from: 1, to: 2, changes: [{ path: 'decisions[d1]', change: 'added' }] });
    expect(await call('diff_checkpoints', { project_id, from: 7 })).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('of a project that has none is empty, and there is no bundle', async () => {
    const { call } = setup();
    expect(await call('list_checkpoints', { project_id })).toEqual({ project_id, checkpoints: [] });
    expect(await call('load_checkpoint', { project_id })).toEqual({ bundle: null });
  });
});

test('the briefing for an agent says what of the conversation was left out for it', async () => {
  const { call, request } = setup();
  const conversation = { summary: 'half done', last_n_turns: [{ role: 'user', content: 'port the parser' }] };
  await call('save_checkpoint', { project_id, source_ide: 'cursor', bundle_patch: { conversation } });
  const { result } = await request('prompts/get', { name: 'resume_checkpoint', arguments: { project_id } });
  const { text } = result.messages[0].content;
  expect(text).toContain('half done');
  expect(text).not.toContain('port the parser');
  expect(text).toContain('Not in this briefing: conversation.last_n_turns.');
});
