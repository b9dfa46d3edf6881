import { describe, expect, test } from 'vitest';
import { git, newRepository, realFolder } from '../../support/git-repository.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { HASH, taskGateways } from './setup.ts';

describe.each(KINDS)('HEAD of the repository of a client, on %s', (kind) => {
  const { newPlace, connect } = taskGateways(kind);

  test('stands for the branch and the commit that are checked out', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const folder = newRepository();
    git(folder, 'checkout', '--quiet', '-b', 'feature/head');
    const commit = git(folder, 'rev-parse', 'HEAD');
    const { id } = await call('create_task', { title: 't' }, folder);
    const linked = await call('update_task', { task_id: id, branch: 'HEAD', commit: 'HEAD' }, `${folder}/src`);
    expect(linked).toMatchObject({ branch: 'feature/head', commit, branches: ['feature/head'], commits: [commit] });
    expect(await call('update_task', { task_id: id, branch: 'HEAD', commit: HASH }, folder)).toMatchObject({
      branches: ['feature/head'],
      commits: [commit, HASH],
    });
    expect(await call('list_tasks', { branch: 'HEAD' }, folder)).toMatchObject({ tasks: [{ id }], total_count: 1 });
    git(folder, 'checkout', '--quiet', '-b', 'another');
    expect(await call('list_tasks', { branch: 'HEAD' }, folder)).toEqual({ tasks: [], total_count: 0 });
  });

  test('is refused where it says nothing, and nothing is changed then', async ({ skip }) => {
    const call = await connect(await newPlace(skip));
    const made = await call('create_task', { project_id: 'acme', title: 't' });
    const refusal = async (args: object, folder?: string) => {
      const { code, message } = await call('update_task', { task_id: made.id, title: 'u', ...args }, folder);
      expect(code).toBe(-32602);
      return message;
    };
    const [bare, unborn, detached] = [realFolder(), realFolder(), newRepository()];
    expect(await refusal({ commit: 'HEAD' }, bare)).toMatch(/arg: commit: HEAD: .*no git repository. Pass the 40 hexa/);
    expect(await refusal({ branch: 'HEAD' }, bare)).toMatch(/arg: branch: HEAD: .*no git repository. Pass the name/);
    git(unborn, 'init', '--quiet');
    expect(await refusal({ commit: 'HEAD' }, unborn)).toContain(`${unborn} has no commit yet`);
    git(detached, 'checkout', '--quiet', '--detach');
    expect(await refusal({ branch: 'HEAD' }, detached)).toContain(`no branch is checked out in ${detached}`);
    expect(await call('get_task', { task_id: made.id })).toEqual(made);
    const linked = await call('update_task', { task_id: made.id, commit: 'HEAD' }, detached);
    expect(linked.commit).toBe(git(detached, 'rev-parse', 'HEAD'));
  });
});
