import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture, startStdio, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { gatewaysOf, isAlive } from '../../support/processes.ts';
import { loggedConfig, sharedClient, sharedHome, sharedStatus } from '../../support/shared-gateways.ts';

test('a process that is to outlive its client keeps the gateway alive, and status says so', async () => {
  const root = path.join(temporaryFolder(), 'work');
  mkdirSync(root);
  const config = writeConfig({
    enabledWorkflows: ['process'],
    gateway: { idleExitMs: 0 },
    workspace: { root },
    workflows: { process: { share: 'gateway', allow: ['node'] } },
  });
  const env = sharedHome();
  const client = await sharedClient(config, env);
  const started = await client.call('process_start', { command: 'node', args: ['-e', 'process.stdin.resume()'] });
  expect(started.isError).not.toBe(true);
  const { shared } = await sharedStatus(config, env);
  expect(shared.keptAliveBy).toHaveLength(1);
  expect(shared.keptAliveBy[0]).toMatch(/^process /);
  const [pid] = gatewaysOf(config);
  client.end();
  await expect.poll(async () => (await sharedStatus(config, env)).shared.clients).toBe(1);
  expect(isAlive(pid!)).toBe(true);
  const text = (await viaduct(['status', '--config', config], env)).stdout;
  expect(text).toContain('kept alive by: process ');
  const again = await sharedClient(config, env);
  expect(gatewaysOf(config)).toEqual([pid]);
  const { id } = started.structuredContent;
  await again.call('process_kill', { id });
  again.end();
  await expect.poll(() => isAlive(pid!)).toBe(false);
});

test('a task that runs in a server keeps the gateway alive until the server says that it has ended', async () => {
  const config = writeConfig({ gateway: { idleExitMs: 0 }, upstreams: { t: fixture('legacy-tasks') } });
  const env = sharedHome();
  const client = await sharedClient(config, env);
  const { value } = await client.request('tools/call', { name: 't_work', arguments: {}, task: {} });
  const [pid] = gatewaysOf(config);
  expect((await sharedStatus(config, env)).shared.keptAliveBy).toEqual(['a task of t']);
  client.end();
  await expect.poll(async () => (await sharedStatus(config, env)).shared.clients).toBe(1);
  const again = await sharedClient(config, env);
  expect(gatewaysOf(config)).toEqual([pid]);
  // Nobody is told of this end: the gateway has to ask.
  await again.call('t_finish', { task: value.result.task.taskId.slice('t/'.length) });
  again.end();
  await expect.poll(() => isAlive(pid!), { timeout: 20_000 }).toBe(false);
});

test('clients are told that the gateway was stopped, and status that it runs for them', async () => {
  const { config } = loggedConfig();
  const env = sharedHome();
  const { client, child } = startStdio(config, env);
  await client.initialize();
  await client.request('logging/setLevel', { level: 'warning' });
  expect((await viaduct(['status', '--config', config], env)).stdout).toMatch(
    /runs as a shared gateway \(pid \d+\)\nshared: it has 1 other client\n/,
  );
  const told = client.waitFor(({ value }) => value.method === 'notifications/message');
  await viaduct(['stop', '--config', config], env);
  expect((await told).value.params).toMatchObject({ level: 'warning', logger: 'viaduct' });
  await expect.poll(() => child.exitCode).not.toBeNull();
});

test('stop --all ends the gateways of all configs', async () => {
  const [one, two] = [loggedConfig().config, loggedConfig().config];
  const env = sharedHome();
  await Promise.all([sharedClient(one, env), sharedClient(two, env)]);
  const { stdout } = await viaduct(['stop', '--all', '--json'], env);
  const { stopped } = JSON.parse(stdout);
  expect(new Map(stopped.map(({ config, outcome }: any) => [config, outcome]))).toEqual(
    new Map([
      [one, 'ended'],
      [two, 'ended'],
    ]),
  );
  expect([...gatewaysOf(one), ...gatewaysOf(two)]).toEqual([]);
});
