import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';

const BUNDLE = {
  pcb_version: '0.1',
  bundle_id: '3f',
  last_source_ide: 'cursor',
  project: { id: 'acme', resolved_from: 'explicit' },
  todos: [{ id: 't_1', text: 'write it', status: 'pending' }],
  decisions: [{ id: 'd1', text: 'no date' }],
};

test('the projects of ide-bridge are imported, shown, exported, compared and pruned', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'projects', 'acme'), { recursive: true });
  writeFileSync(path.join(folder, 'projects', 'acme', 'bundle.json'), JSON.stringify(BUNDLE));
  const env = freshHome({ IDE_BRIDGE_HOME: folder });
  const config = writeConfig({ enabledWorkflows: ['checkpoint'] });
  const checkpoint = (...words: string[]) => viaduct(['checkpoint', ...words, '--config', config], env);
  const json = async (...words: string[]) => JSON.parse((await checkpoint(...words, '--json')).stdout);

  expect(await json('import')).toMatchObject([{ project: 'acme', outcome: 'imported' }]);
  expect(await json('import')).toMatchObject([{ project: 'acme', outcome: 'left alone' }]);
  expect(await json('list')).toMatchObject([{ projectId: 'acme', revision: 1, lastSourceIde: 'cursor' }]);
  expect((await checkpoint('show', 'acme')).stdout).toContain('write it');
  const file = path.join(folder, 'acme.json');
  await checkpoint('export', 'acme', file);
  const exported = JSON.parse(readFileSync(file, 'utf8'));
  expect(exported).toMatchObject({ project_id: 'acme', todos: BUNDLE.todos, decisions: BUNDLE.decisions });

  writeFileSync(file, JSON.stringify({ ...exported, todos: [] }));
  expect(await json('import', file, '--replace')).toMatchObject([{ project: 'acme', outcome: 'imported' }]);
  const { code, stdout } = await checkpoint('diff', 'acme', '--json');
  expect(JSON.parse(stdout).changes).toMatchObject([{ path: 'todos[t_1]', change: 'removed' }]);
  expect(code).toBe(1);
  expect(await json('prune', '--keep', '1')).toEqual({ keep: 1, dropped: 1 });
  const lost = await checkpoint('show', 'acme', '--revision', '1');
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('no revision 1');
});
