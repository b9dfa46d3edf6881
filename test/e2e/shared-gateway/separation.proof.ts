import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fixture,
  freshHome,
  linesOf,
  pidsIn,
  startServe,
  startStdio,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { gatewaysOf, isAlive } from '../../support/processes.ts';
import { loggedConfig, runFiles, sharedClient, sharedHome, sharedStatus } from '../../support/shared-gateways.ts';

/** Makes `viaduct serve` one of another version, as its record has it. */
function disguiseServe(env: NodeJS.ProcessEnv): void {
  for (const file of runFiles(env, '.json')) {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...record, version: '0.0.9' }));
  }
}

describe('clients with other values of a variable that the config uses', () => {
  test('have another gateway; status and why name the variable and not its value', async () => {
    const folder = temporaryFolder();
    const entry = { ...fixture('hostile', `--log=${folder}/log`), env: { TOKEN: '${API_TOKEN}' } };
    const config = writeConfig({ upstreams: { f: entry } });
    const env = sharedHome({ API_TOKEN: 'value-number-one' });
    const other = { ...env, API_TOKEN: 'value-number-two' };
    const clients = [
      await sharedClient(config, env),
      await sharedClient(config, env),
      await sharedClient(config, other),
    ];
    for (const client of clients) await expect.poll(() => client.toolNames()).toContain('f_echo');
    expect(gatewaysOf(config)).toHaveLength(2);
    expect(pidsIn(`${folder}/log`)).toHaveLength(2);
    const said = [
      await viaduct(['status', '--config', config], env),
      await viaduct(['status', '--json', '--config', config], env),
      await viaduct(['why', 'f_echo', '--config', config], env),
    ].map(({ stdout }) => stdout);
    for (const text of said) {
      expect(text).toContain('API_TOKEN');
      expect(text).not.toContain('value-number');
    }
    expect(said[0]).toContain('another shared gateway of this config runs for other values of API_TOKEN');
    for (const file of runFiles(env).filter((name) => !name.endsWith('.sock')))
      expect(readFileSync(file, 'utf8') + file).not.toContain('value-number');
  });

  test('share a gateway if only a disabled entry uses it', async () => {
    const entries = {
      f: fixture('hostile'),
      off: { ...fixture('hostile'), disabled: true, env: { TOKEN: '${API_TOKEN}' } },
    };
    const config = writeConfig({ upstreams: entries });
    const env = sharedHome({ API_TOKEN: 'one' });
    await sharedClient(config, env);
    await sharedClient(config, { ...env, API_TOKEN: 'two' });
    expect(gatewaysOf(config)).toHaveLength(1);
  });
});

describe('a client gets a private gateway', () => {
  test('if its surroundings differ from those of the shared one, and the log says in what', async () => {
    const { config } = loggedConfig();
    const env = sharedHome();
    await sharedClient(config, env);
    const sandboxed = startStdio(config, { ...env, CODEX_SANDBOX: 'seatbelt' });
    await sandboxed.client.initialize();
    await expect.poll(() => sandboxed.client.toolNames()).toContain('f_echo');
    expect(sandboxed.stderr()).toContain('started in other surroundings: variable CODEX_SANDBOX');
    expect(gatewaysOf(config)).toHaveLength(1);
    expect((await sharedStatus(config, env)).sessions.filter(({ client }: any) => client === 'raw')).toHaveLength(1);
  });

  test('if an entry inherits the whole environment', async () => {
    const config = writeConfig({ upstreams: { f: { ...fixture('hostile'), inheritEnv: true } } });
    const client = await sharedClient(config, sharedHome());
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    expect(gatewaysOf(config)).toEqual([]);
  });

  test('if others may write to the folder of sockets', async () => {
    const { config } = loggedConfig();
    const env = freshHome({ VIADUCT_GATEWAY: 'shared' });
    const run = path.join(env.VIADUCT_HOME!, 'run');
    mkdirSync(run);
    chmodSync(run, 0o777);
    const { client, stderr } = startStdio(config, env);
    await client.initialize();
    expect(stderr()).toContain('others may write to it');
    expect(gatewaysOf(config)).toEqual([]);
  });

  test('if that folder cannot be made', async () => {
    const { config } = loggedConfig();
    const env = freshHome({ VIADUCT_GATEWAY: 'shared' });
    writeFileSync(path.join(env.VIADUCT_HOME!, 'run'), 'a file');
    const { client, stderr } = startStdio(config, env);
    await client.initialize();
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    expect(stderr()).toContain('private-gateway');
    expect(gatewaysOf(config)).toEqual([]);
  });

  test('if that folder is a link', async () => {
    const { config } = loggedConfig();
    const env = freshHome({ VIADUCT_GATEWAY: 'shared' });
    symlinkSync(temporaryFolder(), path.join(env.VIADUCT_HOME!, 'run'));
    const { client, stderr } = startStdio(config, env);
    await client.initialize();
    expect(stderr()).toContain('it is a link');
    expect(gatewaysOf(config)).toEqual([]);
  });
});

test('clients of another version than viaduct serve share a gateway of their own version', async () => {
  const { config } = loggedConfig();
  const env = sharedHome();
  await startServe(config, env);
  disguiseServe(env);
  await sharedClient(config, env);
  await sharedClient(config, env);
  expect(gatewaysOf(config)).toHaveLength(1);
});

describe('files left behind by a gateway that was killed', () => {
  test('do not keep the next one from starting, and no process is left', async () => {
    const { config, logOf } = loggedConfig();
    const env = sharedHome();
    const first = startStdio(config, env);
    await first.client.initialize();
    await expect.poll(() => first.client.toolNames()).toContain('f_echo');
    process.kill(gatewaysOf(config)[0]!, 'SIGKILL');
    await expect.poll(() => pidsIn(logOf('f')).filter(isAlive)).toEqual([]);
    expect(runFiles(env, '.owner')).toHaveLength(1);
    const second = await sharedClient(config, env);
    await expect.poll(() => second.toolNames()).toContain('f_echo');
    expect(gatewaysOf(config)).toHaveLength(1);
    await second.call('f_echo', { text: 'starts it' });
    await expect.poll(() => pidsIn(logOf('f')).filter(isAlive)).toHaveLength(1);
  });

  test('are named by doctor', async () => {
    const { config } = loggedConfig();
    const env = sharedHome();
    const { client, child } = startStdio(config, env);
    await client.initialize();
    // A client that is still there would start another gateway.
    client.end();
    await expect.poll(() => child.exitCode).toBe(0);
    process.kill(gatewaysOf(config)[0]!, 'SIGKILL');
    const [record] = runFiles(env, '.json');
    await expect
      .poll(async () => (await viaduct(['doctor', '--config', config], env)).stdout)
      .toContain(`${record} was left behind by a gateway that was killed`);
  });
});

test('a socket path that is too long is in the folder for temporary files', async () => {
  const { config } = loggedConfig();
  const home = path.join(temporaryFolder(), 'a'.repeat(60), 'b'.repeat(60));
  const env = sharedHome({ VIADUCT_HOME: home });
  const clients = [await sharedClient(config, env), await sharedClient(config, env)];
  expect(clients).toHaveLength(2);
  expect(gatewaysOf(config)).toHaveLength(1);
  const { socket } = JSON.parse(readFileSync(runFiles(env, '.json')[0]!, 'utf8'));
  expect(socket.startsWith(home)).toBe(false);
});

test('an edit that changes which variables the config uses lets the gateway end with its clients', async () => {
  const { config, logOf } = loggedConfig(['f'], { lists: { graceMs: 60_000 } });
  const env = sharedHome({ API_TOKEN: 'one' });
  const before = await sharedClient(config, env);
  const [old] = gatewaysOf(config);
  const entry = { ...fixture('hostile', `--log=${logOf('f')}`), env: { TOKEN: '${API_TOKEN}' } };
  writeFileSync(config, JSON.stringify({ schemaVersion: 1, upstreams: { f: entry } }));
  await expect.poll(() => runFiles(env, '.json')).toEqual([]);
  expect(await before.callText('f_echo', { text: 'still served' })).toBe('still served');
  const after = await sharedClient(config, env);
  await expect.poll(() => after.toolNames()).toContain('f_echo');
  expect(gatewaysOf(config)).toHaveLength(2);
  before.end();
  await expect.poll(() => isAlive(old!)).toBe(false);
  expect(gatewaysOf(config)).toHaveLength(1);
});

test('a config that cannot be used gives an error and starts nothing', async () => {
  const config = writeConfig({});
  const env = sharedHome();
  writeFileSync(config, 'schemaVersion: 1\nupstreams: 7\n');
  const { stderr, child } = startStdio(config, env);
  await expect.poll(() => child.exitCode).toBe(2);
  expect(stderr()).toContain('upstreams');
  expect(gatewaysOf(config)).toEqual([]);
});

test('a config in a working folder that is not trusted starts nothing and finds nothing', async () => {
  const folder = temporaryFolder();
  writeConfig({ upstreams: { f: fixture('hostile', `--log=${folder}/log`) } }, folder);
  const env = sharedHome({ HOME: temporaryFolder(), XDG_CONFIG_HOME: undefined, VIADUCT_CONFIG: undefined });
  const refused = await viaduct(['stdio'], env, folder);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('you have not trusted it');
  expect((await viaduct(['trust', '--yes'], env, folder)).code).toBe(0);
  const once = await viaduct(['stdio'], env, folder);
  expect(once.code).toBe(0);
  await expect.poll(() => linesOf(`${folder}/log`).length).toBeGreaterThan(0);
  writeFileSync(path.join(folder, 'viaduct.yaml'), 'schemaVersion: 1\n');
  expect((await viaduct(['stdio'], env, folder)).code).toBe(2);
  expect(existsSync(path.join(env.VIADUCT_HOME!, 'run'))).toBe(true);
  rmSync(path.join(folder, 'viaduct.yaml'));
});
