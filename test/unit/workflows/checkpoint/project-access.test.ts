import { expect, test } from 'vitest';
import { FULL_PERMISSIONS, type Scope, scopeOf } from '../../../../src/core/access/permissions.ts';
import { checkpointSetup } from './checkpoint-setup.ts';

const scope = scopeOf({ ...FULL_PERMISSIONS, projects: [['acme-*']] });
const OWNER = { id: 'owner' };
const save = (project: string) => ({
  project_id: project,
  source_ide: 'zed',
  bundle_patch: { todos: [] },
  force: true,
});

test('a limited client reads and changes its own projects only', async () => {
  const { call, request, store } = checkpointSetup();
  const client = { id: 'limited', scope };
  for (const project of ['acme-web', 'globex-web']) await call('save_checkpoint', save(project), OWNER);

  expect((await call('list_projects', {}, client)).projects).toMatchObject([{ project_id: 'acme-web' }]);
  expect(await call('load_checkpoint', { project_id: 'globex-web' }, client)).toEqual({ bundle: null });
  expect((await call('load_checkpoint', { project_id: 'acme-web' }, client)).bundle).not.toBeNull();
  expect(await call('save_checkpoint', save('globex-web'), client)).toMatchObject({ code: 'OUTSIDE_PROJECTS' });
  expect(await call('save_checkpoint', save('acme-web'), client)).toMatchObject({ saved: true });
  expect(await request('resources/read', { uri: 'checkpoint://globex-web' }, client)).toMatchObject({
    error: { code: 'UNKNOWN_RESOURCE' },
  });
  expect(await store.history('globex-web', 10)).toHaveLength(1);
});

test('a refusal says the same whether the project exists or not', async () => {
  const { call } = checkpointSetup();
  await call('save_checkpoint', save('globex-web'), OWNER);
  const refusals = ['globex-web', 'globex-xxx'].map(async (project) => {
    const { message } = await call('delete_project', { project_id: project, confirm: true }, { scope });
    return message.replace(project, 'ID');
  });
  const [known, unknown] = await Promise.all(refusals);
  expect(known).toBe(unknown);
  expect(known).toContain('"projects" of its token or profile');
});

test('a client hears no more of a project that it may not see any more', async () => {
  const { call, request, updates } = checkpointSetup();
  let present: Scope = scope;
  const live: Scope = {
    isWhole: false,
    allowsProvider: () => true,
    allowsTool: () => true,
    allowsProject: (id) => present.allowsProject(id),
  };
  const client = { id: 'limited', scope: live };
  await request('resources/subscribe', { uri: 'checkpoint://acme-web' }, client);
  await call('save_checkpoint', save('acme-web'), OWNER);
  await expect.poll(() => updates.length).toBe(1);
  present = scopeOf({ ...FULL_PERMISSIONS, projects: [['globex-*']] });
  await request('resources/subscribe', { uri: 'checkpoint://globex-web' }, client);
  await call('save_checkpoint', save('acme-web'), OWNER);
  await call('save_checkpoint', save('globex-web'), OWNER);
  await expect.poll(() => updates.length).toBe(2);
  expect(updates[1]).toEqual({ session: 'limited', uri: 'checkpoint://globex-web' });
});
