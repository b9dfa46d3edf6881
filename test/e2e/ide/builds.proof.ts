import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { IdeBuilds } from '../../../src/workflows/ide/builds/builds.ts';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { freshHome, type ServeProcess, startServe, writeConfig } from '../../support/gateway.ts';
import { git, newRepository, realFolder } from '../../support/git-repository.ts';
import { callIn, ideBuildsSetup } from '../../support/ide/ide-builds.ts';
import { isAlive } from '../../support/processes.ts';

const FLOOD_BYTES = 200_000_000;

/** A gateway with workflow `process`, a client of it, and what another one reads of its builds. */
async function gatewayIn(folder: string, env = freshHome()) {
  const config = writeConfig({ enabledWorkflows: ['process'], workspace: { root: folder } });
  const serving = await startServe(config, env);
  const client = await connectClient('v1', 'tester', { url: serving.url });
  onTestFinished(() => client.close().catch(() => undefined));
  const { builds } = ideBuildsSetup({}, { home: env.VIADUCT_HOME! });
  return { env, serving, client, builds, context: callIn(folder) };
}

async function call(client: EraClient, name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, content, isError } = await client.call(name, args);
  return isError === true ? (content[0].text as string) : structuredContent;
}

async function startBuild(
  client: EraClient,
  script: string,
  build: object = {},
): Promise<{ id: string; buildId: string; pid: number }> {
  const started = await call(client, 'process_start', { command: '/bin/sh', args: ['-c', script], build });
  expect(started).toMatchObject({ id: expect.any(String), buildId: expect.any(String) });
  return started;
}

async function statusOf(builds: IdeBuilds, id: string, folder: string): Promise<string> {
  return (await builds.get(id, callIn(folder))).status;
}

async function endGateway({ child }: ServeProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

describe('a build of process_start', () => {
  test('is read after the gateway was started anew', async () => {
    const folder = newRepository();
    git(folder, 'checkout', '--quiet', '-b', 'work');
    const { env, serving, client, builds } = await gatewayIn(folder);
    const script = 'echo token=ghp_$(printf %s a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8); echo "warning" >&2; exit 3';
    const { id, buildId } = await startBuild(client, script);
    await expect.poll(() => statusOf(builds, buildId, folder)).toBe('failed');
    expect((await call(client, 'process_output', { id })).output).toContain('ghp_a1B2');
    await endGateway(serving, 'SIGTERM');
    const later = await gatewayIn(folder, env);
    const build = await later.builds.get(buildId, callIn(folder));
    expect(build).toMatchObject({ repo: 'project', branch: 'work', status: 'failed', exitCode: 3 });
    expect(build.endedMs! - build.startedMs).toBeGreaterThanOrEqual(0);
    const lines = await later.builds.logs(buildId, 10, callIn(folder));
    expect([...lines].sort()).toEqual([expect.stringMatching(/^token=\[redacted:/), 'warning']);
    const ofClient = await call(later.client, 'process_start', { command: 'true', build: { repo: 'r', branch: 'b' } });
    await expect.poll(() => statusOf(later.builds, ofClient.buildId, folder)).toBe('success');
    expect(await later.builds.list({ repo: 'r' }, callIn(folder))).toMatchObject([
      { id: ofClient.buildId, branch: 'b' },
    ]);
  });

  test.each(['process_stop', 'process_kill'])('is cancelled by %s', async (tool) => {
    const folder = realFolder();
    const { client, builds, context } = await gatewayIn(folder);
    const { id, buildId } = await startBuild(client, 'echo begun; exec sleep 300');
    await expect.poll(() => builds.logs(buildId, 5, context)).toEqual(['begun']);
    expect(await call(client, tool, { id })).toMatchObject({ success: true });
    expect(await statusOf(builds, buildId, folder)).toBe('cancelled');
    expect(await builds.logs(buildId, 5, context)).toEqual(['begun', expect.stringContaining('was cancelled')]);
  });

  test('is cancelled with the session of its client, and with the gateway', async () => {
    const folder = realFolder();
    const { serving, client, builds } = await gatewayIn(folder);
    const first = await startBuild(client, 'exec sleep 300');
    await client.close();
    await expect.poll(() => statusOf(builds, first.buildId, folder)).toBe('cancelled');
    const other = await connectClient('v1', 'other', { url: serving.url });
    onTestFinished(() => other.close().catch(() => undefined));
    const second = await startBuild(other, 'exec sleep 300');
    await endGateway(serving, 'SIGTERM');
    expect(await statusOf(builds, second.buildId, folder)).toBe('cancelled');
    expect(isAlive(second.pid)).toBe(false);
  });

  test('is lost when its gateway is killed, and its children are gone', async () => {
    const folder = realFolder();
    const { env, serving, client, builds, context } = await gatewayIn(folder);
    const { buildId, pid } = await startBuild(client, 'sleep 300 & echo $! > child; echo begun; wait');
    await expect.poll(() => builds.logs(buildId, 5, context)).toEqual(['begun']);
    expect(await statusOf(builds, buildId, folder)).toBe('running');
    const child = Number(readFileSync(path.join(folder, 'child'), 'utf8'));
    await endGateway(serving, 'SIGKILL');
    const later = await gatewayIn(folder, env);
    expect(await later.builds.get(buildId, context)).toMatchObject({ status: 'lost', exitCode: undefined });
    expect(await later.builds.logs(buildId, 5, context)).toEqual(['begun']);
    await expect.poll(() => isAlive(pid) || isAlive(child), { timeout: 20_000 }).toBe(false);
  });

  test('is not begun where the command may not be started', async () => {
    const folder = realFolder();
    const { client, builds, context } = await gatewayIn(folder);
    expect(await call(client, 'process_start', { command: 'no-such-program-x', build: {} })).toContain('not found');
    expect(await builds.list({}, context)).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'may flood its log: memory and disk stay bounded',
    async () => {
      const folder = realFolder();
      const { env, serving, client, builds, context } = await gatewayIn(folder);
      const script = `echo first; yes 'a line of a build that says the same again and again' | head -c ${FLOOD_BYTES}; echo; echo last`;
      const { buildId } = await startBuild(client, script);
      const log = path.join(env.VIADUCT_HOME!, 'builds', `${buildId}.log`);
      let [memory, disk] = [0, 0];
      const measure = async () => {
        memory = Math.max(memory, residentBytes(serving.child.pid!));
        disk = Math.max(disk, statSync(log, { throwIfNoEntry: false })?.size ?? 0);
        return statusOf(builds, buildId, folder);
      };
      await expect.poll(measure, { timeout: 280_000, interval: 200 }).toBe('success');
      expect(memory).toBeLessThan(400_000_000);
      expect(disk).toBeLessThan(9_500_000);
      expect(statSync(log).size).toBeLessThan(4_700_000);
      expect(readFileSync(log, 'utf8')).toMatch(/^first\n/);
      expect(readFileSync(log, 'utf8')).toMatch(/\[viaduct: \d{7} lines \(18\d\.\d MiB\) are left out here/);
      expect(await builds.logs(buildId, 1, context)).toEqual(['last']);
    },
    300_000,
  );
});

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024;
}
