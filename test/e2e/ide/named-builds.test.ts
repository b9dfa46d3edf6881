import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { freshHome, type ServeProcess, startServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { newRepository } from '../../support/git-repository.ts';
import { isAlive } from '../../support/processes.ts';

const PASSED_ON = 'passed-on-by-the-environment';
const WRITTEN = 'written-in-the-config-1';

/** The config of a gateway with a build that writes its secrets and waits. */
function buildConfig(log: string): string {
  const script = 'echo "$PLAIN_NAME $API_KEY"; sleep 300 & echo "child $!"; wait';
  const env = { PLAIN_NAME: '${GIVEN}', API_KEY: WRITTEN };
  return writeConfig({
    enabledWorkflows: ['ide'],
    workspace: { clientFolders: [realpathSync(tmpdir())] },
    workflows: { ide: { builds: { all: { command: ['/bin/sh', '-c', script], env } } } },
    log: { level: 'trace', file: log },
  });
}

async function clientIn(folder: string, { url }: ServeProcess): Promise<EraClient> {
  const client = await connectClient('v1', 'tester', { url: `${url}?cwd=${encodeURIComponent(folder)}` });
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

async function call(client: EraClient, tool: string, args: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, content, isError } = await client.call(tool, args, { timeout: 60_000 });
  return isError === true ? (content[0].text as string) : structuredContent;
}

test('a named build is started, stopped and read after a restart, and shows no secrets', async () => {
  const log = path.join(temporaryFolder(), 'viaduct.log');
  const [config, env, folder] = [buildConfig(log), freshHome({ GIVEN: PASSED_ON }), newRepository()];
  const serving = await startServe(config, env);
  const client = await clientIn(folder, serving);
  const { build } = await call(client, 'ide_build_start', { name: 'all' });
  expect(build).toMatchObject({ id: expect.any(String), repo: 'project', status: 'running' });
  const lines = async (one = client) => (await call(one, 'ide_build_logs', { buildId: build.id })).lines as string[];
  await expect.poll(lines, { timeout: 20_000 }).toHaveLength(2);
  const [secrets, child = ''] = await lines();
  expect(secrets).toBe('[secret] [secret]');
  const stopped = await call(client, 'ide_build_stop', { buildId: build.id });
  expect(stopped).toMatchObject({ success: true, build: { id: build.id, status: 'cancelled' } });
  expect(isAlive(Number(child.slice('child '.length)))).toBe(false);
  expect(await call(client, 'ide_build_stop', { buildId: build.id })).toMatchObject({ success: false });
  expect(await call(client, 'ide_build_stop', { buildId: 'none' })).toContain('There is no build');
  const exited = once(serving.child, 'exit');
  serving.child.kill('SIGTERM');
  await exited;
  const later = await clientIn(folder, await startServe(config, env));
  expect(await call(later, 'ide_build_status', { buildId: build.id })).toMatchObject({
    build: { status: 'cancelled' },
  });
  expect(await lines(later)).toEqual([secrets, child, expect.stringContaining('the build was cancelled')]);
  expect((await call(later, 'ide_build_list')).builds).toHaveLength(1);
  for (const secret of [PASSED_ON, WRITTEN]) expect(readFileSync(log, 'utf8')).not.toContain(secret);
});
