import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectStdio, freshHome, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';

test('what an agent was allowed to change once is undone by its user, and only by force', async () => {
  const root = realpathSync(temporaryFolder());
  const folder = temporaryFolder();
  const env = freshHome();
  const settings = { enabledWorkflows: ['files'], log: { level: 'error' } };
  const config = writeConfig({ ...settings, workspace: { root, unprotected: ['.mcp.json'] } }, folder);
  const file = path.join(root, '.mcp.json');
  writeFileSync(file, 'mine');
  const allowed = await connectStdio(config, { env });
  expect((await allowed.call('file_write', { path: '.mcp.json', content: 'of an agent' })).isError).not.toBe(true);
  writeConfig({ ...settings, workspace: { root } }, folder);

  const client = await connectStdio(config, { env });
  const refused = await client.call('file_write', { path: '.mcp.json', content: 'again' });
  expect(refused).toMatchObject({ isError: true, _meta: { 'viaduct/gateway': { reason: 'path_protected' } } });
  const undone = await viaduct(['undo', '--config', config], env);
  expect([undone.code, undone.stderr]).toEqual([1, expect.stringContaining('".mcp.json" is protected: it is')]);
  expect(undone.stderr).toContain('viaduct undo --force');
  expect(readFileSync(file, 'utf8')).toBe('of an agent');
  const forced = await viaduct(['undo', '--force', '--config', config], env);
  expect([forced.code, readFileSync(file, 'utf8')]).toEqual([0, 'mine']);
});

test('an agent does not undo what it may no longer change', async () => {
  const root = realpathSync(temporaryFolder());
  const env = freshHome();
  const settings = { enabledWorkflows: ['files'], workspace: { root }, log: { level: 'error' } };
  const folder = temporaryFolder();
  const config = writeConfig(settings, folder);
  const client = await connectStdio(config, { env });
  // It is in the workspace, and becomes what an upstream is started with.
  await client.call('file_write', { path: 'server.js', content: 'one' });
  await client.call('file_write', { path: 'server.js', content: 'two' });
  const upstreams = { mine: { command: 'node', args: [path.join(root, 'server.js')], restart: 'on-demand' } };
  writeConfig({ ...settings, upstreams }, folder);
  const { stdout } = await viaduct(['undo', '--list', '--json', '--config', config], env);
  const changes = JSON.parse(stdout) as { id: number }[];
  for (const { id } of changes) {
    const { code, stderr } = await viaduct(['undo', String(id), '--config', config], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('a file that the upstream "mine" is started with')]);
  }
  expect(changes).toHaveLength(2);
  expect([existsSync(path.join(root, 'server.js')), readFileSync(path.join(root, 'server.js'), 'utf8')]).toEqual([
    true,
    'two',
  ]);
});
