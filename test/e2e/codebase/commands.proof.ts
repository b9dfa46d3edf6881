import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, startServe, viaduct, writeConfig } from '../../support/gateway.ts';
import { repository } from './setup.ts';

function scene(workflows: readonly string[] = ['codebase']) {
  const folder = repository();
  const config = writeConfig({ enabledWorkflows: workflows });
  const env = freshHome();
  const run = (...words: string[]) => viaduct([...words, '--config', config], env, folder);
  return { folder, config, env, run };
}

// Each command is a gateway and its threads, on a busy machine too.
const PATIENCE = { timeout: 180_000 };

test('a folder is indexed, and only what changed is read again', PATIENCE, async () => {
  const { folder, run } = scene();
  const first = await run('index');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/shop: \d+ files, \d+ chunks \(/) });
  expect((await run('index')).stdout).toContain('nothing has changed');
  writeFileSync(path.join(folder, 'lib/new.ts'), 'export const fresh = 1;\n');
  const json = JSON.parse((await run('index', '--json')).stdout);
  expect(json).toMatchObject({ files_indexed: 1, status: 'success', errors: [] });
  expect(JSON.parse((await run('index', '--force', '--json')).stdout).files_indexed).toBeGreaterThan(4);
});

test('a search prints places and lines, and tells by its exit code whether there are any', PATIENCE, async () => {
  const { run } = scene();
  await run('index');
  const { code, stdout } = await run('search', 'apply a discount');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^lib\/discount\.ts:3-6 {2}applyDiscount {2}\(0\.\d\d\)\n {4}/);
  const json = JSON.parse((await run('search', 'total_price', '--type', 'py', '--limit', '1', '--json')).stdout);
  expect(json.results).toMatchObject([{ file_path: 'src/cart.py' }]);
  expect(await run('search', 'zzzzzz')).toMatchObject({ code: 1, stdout: 'Nothing was found.\n' });
  expect(await run('search', 'total', '--directory', 'docs')).toMatchObject({ code: 1 });
});

test('the gateway that runs is used, if there is one', PATIENCE, async () => {
  const { folder, config, env, run } = scene();
  await startServe(config, env);
  expect((await run('index')).code).toBe(0);
  const { code, stdout } = await run('search', 'applyDiscount');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('lib/discount.ts') });
  expect(folder).toContain('shop');
});

test('mistakes are named', PATIENCE, async () => {
  const { run } = scene();
  expect(await run('index', 'nowhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
  expect(await run('search', ' ')).toMatchObject({ code: 1, stderr: expect.stringContaining('query') });
  expect((await run('search', 'x', '--limit', '51')).code).toBe(2);
  const off = scene([]);
  expect(await off.run('search', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('"codebase" is off') });
});
