import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fakeXcode, linesOf, pidsIn, startServe, startStdio, viaduct, writeConfig } from '../../support/gateway.ts';
import { gatewaysOf, isAlive } from '../../support/processes.ts';
import {
  gatewayLog,
  loggedConfig,
  runFiles,
  sharedClient,
  sharedHome,
  sharedStatus,
} from '../../support/shared-gateways.ts';

test('clients of one config have one gateway and one process an upstream', async () => {
  const { config, logOf } = loggedConfig(['one', 'two']);
  const env = sharedHome();
  const clients = await Promise.all([1, 2, 3].map(() => sharedClient(config, env)));
  for (const client of clients) await expect.poll(() => client.toolNames()).toContain('two_echo');
  for (const [index, client] of clients.entries())
    expect(await client.callText('one_echo', { text: `from ${index}` })).toBe(`from ${index}`);
  expect(gatewaysOf(config)).toHaveLength(1);
  expect(pidsIn(logOf('one'))).toHaveLength(1);
  expect(pidsIn(logOf('two'))).toHaveLength(1);
});

test('the gateway is detached: own session, no descriptors of its starter, folder /, files for its user only', async () => {
  const { config } = loggedConfig();
  const env = sharedHome();
  await sharedClient(config, env);
  const [pid] = gatewaysOf(config);
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  expect(stat[3]).toBe(String(pid));
  expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('VIADUCT_GATEWAY=');
  for (const file of runFiles(env)) expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(path.join(env.VIADUCT_HOME!, 'run')).mode & 0o077).toBe(0);
});

test('the gateway ends some time after its last client, and leaves nothing but its log', async () => {
  const { config, logOf } = loggedConfig(['f'], { gateway: { idleExitMs: 0 } });
  const env = sharedHome();
  const [first, second] = [await sharedClient(config, env), await sharedClient(config, env)];
  await expect.poll(() => first.toolNames()).toContain('f_echo');
  const [pid] = gatewaysOf(config);
  first.end();
  expect(await second.callText('f_echo', { text: 'still here' })).toBe('still here');
  second.end();
  await expect.poll(() => isAlive(pid!)).toBe(false);
  await expect.poll(() => pidsIn(logOf('f')).filter(isAlive)).toEqual([]);
  expect(runFiles(env, '.json')).toEqual([]);
  expect(runFiles(env, '.sock')).toEqual([]);
  expect(gatewayLog(env)).toContain('it has no clients and nothing to do');
});

test('a private gateway ends with its client, and no other one is started', async () => {
  const { config, logOf } = loggedConfig(['f'], { gateway: 'private' });
  const env = sharedHome({ VIADUCT_GATEWAY: undefined });
  const clients = await Promise.all([1, 2].map(() => sharedClient(config, env)));
  for (const client of clients) {
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    // The second client may know the tools from the first one: its process starts with the call.
    await client.callText('f_echo', { text: 'hello' });
  }
  expect(gatewaysOf(config)).toEqual([]);
  expect(pidsIn(logOf('f'))).toHaveLength(2);
});

test('VIADUCT_GATEWAY has the last word, and must be one of two', async () => {
  const { config } = loggedConfig(['f'], { gateway: 'private' });
  const env = sharedHome();
  await sharedClient(config, env);
  expect(gatewaysOf(config)).toHaveLength(1);
  const wrong = startStdio(config, { ...env, VIADUCT_GATEWAY: 'both' });
  await expect.poll(wrong.stderr).toContain('VIADUCT_GATEWAY is "both": it must be shared or private');
});

test('viaduct serve comes before a shared gateway', async () => {
  const { config } = loggedConfig();
  const env = sharedHome();
  const serving = await startServe(config, env);
  await sharedClient(config, env);
  expect(gatewaysOf(config)).toEqual([]);
  expect(await sharedStatus(config, env)).toMatchObject({ url: serving.url, pid: serving.child.pid });
});

test('three clients have one bridge to Xcode', async () => {
  const { path: searched, log } = fakeXcode();
  const env = sharedHome({ PATH: searched });
  const config = writeConfig({ enabledWorkflows: ['xcode-ide'] });
  const clients = await Promise.all([1, 2, 3].map(() => sharedClient(config, env)));
  for (const client of clients)
    await expect.poll(async () => (await client.toolNames()).some((name) => name.startsWith('xcode_tools'))).toBe(true);
  expect(linesOf(log).filter((line) => line.startsWith('start'))).toHaveLength(1);
});

test('stop ends the gateway and its processes, and says who was connected', async () => {
  const { config, logOf } = loggedConfig();
  const env = sharedHome();
  const stdio = startStdio(config, env);
  await stdio.client.initialize();
  await expect.poll(() => stdio.client.toolNames()).toContain('f_echo');
  const [pid] = gatewaysOf(config);
  const { code, stdout } = await viaduct(['stop', '--config', config], env);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `the shared gateway of ${config} (pid ${pid}) has ended; 1 client was connected\n`,
  });
  expect(isAlive(pid!)).toBe(false);
  expect(pidsIn(logOf('f')).filter(isAlive)).toEqual([]);
  const again = await viaduct(['stop', '--config', config], env);
  expect(again).toMatchObject({ code: 0, stdout: `no shared gateway runs for ${config}\n` });
});
