import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { openServe, temporaryFolder } from '../../support/gateway.ts';
import { newRepository } from '../../support/git-repository.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { taskGateways, UNKNOWN_ID } from './setup.ts';

const ACME = tokenOf('acme', { projects: ['acme-*'] });
const OWNER = tokenOf('owner');

function projectFolder(projectId: string): string {
  const folder = path.join(temporaryFolder(), projectId);
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.viaduct.yaml'), `project_id: ${projectId}\n`);
  return folder;
}

describe.each(KINDS)('tasks of clients with tokens, on %s', (kind) => {
  const { newPlace, configOf, envOf } = taskGateways(kind);

  async function scene(skip: () => never) {
    const place = await newPlace(skip);
    const folder = projectFolder('globex-web');
    const closed = newRepository();
    // A folder that may be used, and says that its repository is elsewhere.
    const planted = temporaryFolder();
    writeFileSync(path.join(planted, '.git'), `gitdir: ${path.join(closed, '.git')}\n`);
    const server = { tokens: [ACME.entry, OWNER.entry] };
    const config = configOf(place, { server, workspace: { clientFolders: [folder, planted] } });
    const { url } = await openServe(config, envOf(place));
    const as = async ({ headers }: typeof ACME) => {
      const session = await HttpSession.open(url, {}, '2025-11-25', headers);
      return async (name: string, args: object, cwd?: string): Promise<any> => {
        const meta = cwd === undefined ? {} : { _meta: { 'viaduct/cwd': cwd } };
        const { body } = await session.post(session.request('tools/call', { name, arguments: args, ...meta }));
        const { result, error } = JSON.parse(body);
        return error ?? (result.isError === true ? result : result.structuredContent);
      };
    };
    return { acme: await as(ACME), owner: await as(OWNER), folder, ways: [closed, planted] };
  }

  test('of other projects are not found, listed, counted or changed', async ({ skip }) => {
    const { acme, owner, folder } = await scene(skip);
    const theirs = await owner('create_task', { project_id: 'globex-web', title: 'secret of globex' });
    const own = await owner('create_task', { project_id: 'acme-web', title: 'of acme' });
    const unknown = JSON.stringify(await acme('get_task', { task_id: UNKNOWN_ID }));
    expect(unknown).toContain('Task not found');
    for (const [tool, args] of [
      ['get_task', {}],
      ['get_task', { project_id: 'globex-web' }],
      ['update_task', { title: 'taken' }],
      ['update_task', { branch: 'main', project_id: 'globex-web' }],
    ] as const)
      expect(JSON.stringify(await acme(tool, { task_id: theirs.id, ...args }))).toBe(unknown);
    expect(await owner('get_task', { task_id: theirs.id })).toEqual(theirs);
    expect(await acme('list_tasks', { all: true })).toMatchObject({ tasks: [{ id: own.id }], total_count: 1 });
    expect(await owner('list_tasks', { all: true })).toMatchObject({ total_count: 2 });
    expect(await acme('list_tasks', { project_id: 'globex-web' })).toEqual({ tasks: [], total_count: 0 });
    expect(await acme('update_task', { task_id: own.id, title: 'mine' })).toMatchObject({ title: 'mine' });
    for (const [tool, args, cwd] of [
      ['create_task', { project_id: 'globex-web', title: 't' }, undefined],
      ['create_task', { title: 't' }, folder],
      ['list_tasks', {}, folder],
    ] as const)
      expect(await acme(tool, args, cwd)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('This client may not use the project') }],
      });
    expect(await owner('list_tasks', { project_id: 'globex-web' })).toMatchObject({ total_count: 1 });
  });

  test('are not linked to the HEAD of a repository that the client may not use', async ({ skip }) => {
    const { owner, ways } = await scene(skip);
    const { id } = await owner('create_task', { project_id: 'acme-web', title: 't' });
    for (const cwd of ways)
      expect(await owner('update_task', { task_id: id, commit: 'HEAD' }, cwd)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('workspace.clientFolders') }],
      });
    expect(await owner('get_task', { task_id: id })).toMatchObject({ commits: [] });
  });
});
