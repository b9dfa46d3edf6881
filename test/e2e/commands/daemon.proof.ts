import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
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
import { HttpSession } from '../../support/http/http-client.ts';
import { endChild, hasEnded, isAlive } from '../../support/processes.ts';

/** A client of a `viaduct stdio`, which is a process of its own here. */
async function connectStdio(config: string, { env }: { env: NodeJS.ProcessEnv }): Promise<RawClient> {
  const { client } = startStdio(config, env);
  await client.initialize();
  return client;
}

describe('a running gateway', () => {
  test('serves stdio clients of the same config and HTTP clients with one process an upstream', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const config = writeConfig({ upstreams: { f: fixture('hostile', `--log=${log}`) } });
    const serving = await startServe(config);
    const [first, second] = [
      await connectStdio(config, { env: serving.env }),
      await connectStdio(config, { env: serving.env }),
    ];
    const http = await HttpSession.open(serving.url);
    await expect.poll(() => first.toolNames()).toContain('f_echo');
    expect(await first.callText('f_echo', { text: 'one' })).toBe('one');
    expect(await second.callText('f_echo', { text: 'two' })).toBe('two');
    expect(await http.callText('f_echo', { text: 'three' })).toBe('three');
    expect(pidsIn(log)).toHaveLength(1);
  });

  test('is what the commands ask', async () => {
    const config = writeConfig({ upstreams: { f: fixture('hostile') } });
    const serving = await startServe(config);
    const client = await connectStdio(config, { env: serving.env });
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    const status = JSON.parse((await viaduct(['status', '--json', '--config', config], serving.env)).stdout);
    expect(status).toMatchObject({ running: true, url: serving.url, pid: serving.child.pid });
    expect(status.sessions.map((session: any) => session.client)).toContain('raw');
    const text = (await viaduct(['status', '--config', config], serving.env)).stdout;
    expect(text).toContain(serving.url);
    expect(text).toMatch(/f\s+ready\s+10 tools/);
  });

  test('knows by their names who asks: commands too, and their names are in its log', async () => {
    const config = writeConfig({ log: { level: 'info' } });
    const serving = await startServe(config);
    const run = (...words: string[]) => viaduct([...words, '--config', config], serving.env);
    const status = JSON.parse((await run('status', '--json')).stdout);
    expect(status.sessions.map((session: any) => session.client)).toEqual(['viaduct status']);
    for (const words of [['tools'], ['why', 'x'], ['sync'], ['call', 'x'], ['codegen'], ['pins', 'list'], ['doctor']])
      await run(...words);
    const lines = serving
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"event":"client"'));
    expect(lines.map((line) => JSON.parse(line).client)).toEqual(
      ['status', 'tools', 'why', 'sync', 'call', 'codegen', 'pins', 'doctor'].map((name) => `viaduct ${name}`),
    );
  });

  // As `socat` starts it: one socket for both ways.
  test.skipIf(process.platform === 'win32')('takes a client that was killed for one that has left', async () => {
    const config = writeConfig({ log: { level: 'info' } });
    const serving = await startServe(config);
    const words = `exec '${process.execPath}' '${BIN}' stdio --config '${config}' >&0`;
    const child = spawn('sh', ['-c', words], { env: serving.env, stdio: ['pipe', 'ignore', 'pipe'] });
    onTestFinished(() => endChild(child));
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'killed', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await expect.poll(() => serving.stderr(), { timeout: 10_000 }).toContain('"client":"killed"');
    // The answer is not read, which makes an end of this kind an error.
    await viaduct(['status', '--config', config], serving.env);
    child.stdin.destroy();
    await hasEnded(child);
    expect(child.exitCode).toBe(0);
  });

  test('for another config is not attached to', async () => {
    const serving = await startServe(writeConfig({ upstreams: { a: fixture('hostile') } }));
    const client = await connectStdio(writeConfig({ upstreams: { b: fixture('hostile') } }), { env: serving.env });
    await expect.poll(() => client.toolNames()).toContain('b_echo');
  });

  test('a second one for the same config says so and ends', async () => {
    const config = writeConfig({ upstreams: {} });
    const serving = await startServe(config);
    const { code, stderr } = await viaduct(['serve', '--config', config, '--port', '0'], serving.env);
    expect(code).toBe(1);
    expect(stderr).toContain(`runs already: ${serving.url}`);
  });

  test('a port that is taken is an error in one line', async () => {
    const serving = await startServe(writeConfig({ upstreams: {} }));
    const { port } = new URL(serving.url);
    const { code, stderr } = await viaduct(['serve', '--config', writeConfig({ upstreams: {} }), '--port', port]);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('EADDRINUSE');
  });

  test('does not listen where others may put files', async () => {
    const env = freshHome();
    const run = path.join(env.VIADUCT_HOME!, 'run');
    mkdirSync(run);
    chmodSync(run, 0o777);
    const { code, stderr } = await viaduct(['serve', '--port', '0', '--config', writeConfig({})], env);
    expect(code).toBe(1);
    expect(stderr).toContain(`the socket cannot be in ${run}: others may write to it`);
  });

  test('does not listen behind a link that stands in the place of its folder', async () => {
    const env = freshHome();
    const elsewhere = temporaryFolder();
    writeFileSync(path.join(elsewhere, 'mine'), '');
    symlinkSync(elsewhere, path.join(env.VIADUCT_HOME!, 'run'));
    const { code, stderr } = await viaduct(['serve', '--port', '0', '--config', writeConfig({})], env);
    expect(code).toBe(1);
    expect(stderr).toContain(`the socket cannot be in ${path.join(env.VIADUCT_HOME!, 'run')}: it is a link`);
    expect(readdirSync(elsewhere)).toEqual(['mine']);
  });

  test('that was killed leaves nothing in the way of the next', async () => {
    const config = writeConfig({ upstreams: { f: fixture('hostile') } });
    const first = await startServe(config);
    await endChild(first.child, 'SIGKILL');
    const alone = await connectStdio(config, { env: first.env });
    await expect.poll(() => alone.toolNames()).toContain('f_echo');
    const second = await startServe(config, first.env);
    expect(second.url).not.toBe('');
  });

  test('that stops closes its clients, ends with 0 and takes its record along', async () => {
    const config = writeConfig({ upstreams: { f: fixture('hostile') } });
    const serving = await startServe(config);
    const { client, child } = startStdio(config, serving.env);
    await client.initialize();
    const exits = Promise.all(
      [serving.child, child].map((process) => new Promise((resolve) => process.once('exit', resolve))),
    );
    serving.child.kill('SIGTERM');
    expect(await exits).toEqual([0, 1]);
    // What clients have to know of the config is no file of the gateway.
    const left = readdirSync(path.join(serving.env.VIADUCT_HOME!, 'run'));
    expect(left.filter((name) => !name.endsWith('.facts'))).toEqual([]);
  });
});

describe('a gateway that is told to stop', () => {
  async function startBusy(calls: number, ms: number) {
    const log = path.join(temporaryFolder(), 'log');
    const config = writeConfig({ log: { level: 'info' }, upstreams: { t: fixture('talkative', `--log=${log}`) } });
    const serving = await startServe(config);
    const local = await connectStdio(config, { env: serving.env });
    await expect.poll(() => local.toolNames()).toContain('t_wait');
    const http = await HttpSession.open(serving.url);
    const overHttp = Array.from({ length: calls }, () =>
      http.post(http.request('tools/call', { name: 't_wait', arguments: { ms } })),
    );
    const locally = local.callText('t_wait', { ms });
    await expect.poll(() => linesOf(log).filter((line) => line.startsWith('call wait')).length).toBe(calls + 1);
    const exited = new Promise((resolve) => serving.child.once('exit', resolve));
    return { ...serving, log, local, overHttp, locally, exited };
  }

  test('lets the calls that run end, over HTTP and locally, and takes no more', async () => {
    const { child, stderr, local, overHttp, locally, exited } = await startBusy(10, 1_000);
    child.kill('SIGTERM');
    await expect.poll(stderr).toContain('"event":"drain","calls":11');
    const late = await local.call('t_echo', { text: 'late' });
    expect(late._meta['viaduct/gateway']).toMatchObject({ reason: 'cancelled', effect: 'none' });
    const texts = (await Promise.all(overHttp)).map(({ body }) => JSON.parse(body).result.content[0].text);
    expect(texts).toEqual(Array.from({ length: 10 }, () => 'waited'));
    expect(await locally).toBe('waited');
    expect(await exited).toBe(0);
    expect(stderr()).toContain('"event":"drained","calls":0');
  });

  test('twice, ends at once, and its upstreams with it', async () => {
    const { child, stderr, log, overHttp, locally, exited } = await startBusy(1, 60_000);
    const lost = Promise.allSettled([...overHttp, locally]);
    child.kill('SIGTERM');
    await expect.poll(stderr).toContain('"event":"drain"');
    child.kill('SIGTERM');
    expect(await exited).toBe(1);
    await lost;
    await expect.poll(() => pidsIn(log).some(isAlive)).toBe(false);
  });
});

describe('while the gateway runs, a change of the config', () => {
  async function startWith(upstreams: object) {
    const folder = temporaryFolder();
    const log = (name: string) => path.join(folder, `${name}.log`);
    const entry = (name: string, ...args: string[]) => fixture('hostile', `--log=${log(name)}`, ...args);
    const config = writeConfig({ log: { level: 'info' }, upstreams }, folder);
    const serving = await startServe(config);
    const client = await connectStdio(config, { env: serving.env });
    const rewrite = (next: object) => {
      const draft = path.join(folder, 'draft');
      writeFileSync(draft, JSON.stringify({ schemaVersion: 1, ...next }));
      renameSync(draft, config);
    };
    return { folder, log, entry, config, serving, client, rewrite };
  }

  test('starts what is new, ends what is gone, leaves alone what is the same', async () => {
    const folder = temporaryFolder();
    const entry = (name: string, ...args: string[]) => fixture('hostile', `--log=${path.join(folder, name)}`, ...args);
    const { client, rewrite } = await startWith({
      same: entry('same'),
      gone: entry('gone'),
      changed: entry('changed'),
    });
    await expect
      .poll(() => client.toolNames())
      .toEqual(expect.arrayContaining(['same_echo', 'gone_echo', 'changed_echo']));
    rewrite({ upstreams: { same: entry('same'), changed: entry('changed', '--mode=pages'), fresh: entry('fresh') } });
    await expect
      .poll(() => client.toolNames())
      .toEqual(expect.arrayContaining(['same_echo', 'changed_t00', 'fresh_echo']));
    expect(await client.toolNames()).not.toContain('gone_echo');
    const pids = (name: string) => pidsIn(path.join(folder, name));
    expect(pids('same')).toHaveLength(1);
    expect(pids('changed')).toHaveLength(2);
    await expect.poll(() => isAlive(pids('gone')[0]!)).toBe(false);
    expect(await client.callText('same_echo', { text: 'still' })).toBe('still');
  });

  test('that is not valid changes nothing and is reported with its place', async () => {
    const { client, rewrite, serving } = await startWith({ f: fixture('hostile') });
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    rewrite({ upstreams: { f: { comand: 'node' } } });
    await expect.poll(() => serving.stderr()).toContain('the last valid one stays in force');
    expect(serving.stderr()).toContain('comand');
    expect(await client.callText('f_echo', { text: 'unharmed' })).toBe('unharmed');
  });
});

describe('the cache of lists', () => {
  test('answers the first list of the next run at once, and a changed entry does not get another’s list', async () => {
    const env = freshHome();
    const config = writeConfig({ upstreams: { f: fixture('hostile') } });
    const first = await connectStdio(config, { env });
    await expect.poll(() => first.toolNames()).toContain('f_echo');
    const slow = writeConfig({ upstreams: { f: fixture('hostile', '--mode=slow-list') } }, path.dirname(config));
    const second = await connectStdio(slow, { env });
    expect(await second.toolNames()).not.toContain('f_echo');
    const files = readdirSync(path.join(env.VIADUCT_HOME!, 'cache', 'lists'));
    expect(files.every((file) => file.startsWith('f-'))).toBe(true);
    expect(existsSync(path.join(env.VIADUCT_HOME!, 'cache'))).toBe(true);
  });
});

test('on-demand: known tools are listed without a process, the first call starts it', async () => {
  const env = freshHome();
  const log = path.join(temporaryFolder(), 'log');
  const config = writeConfig({ upstreams: { f: { ...fixture('hostile', `--log=${log}`), restart: 'on-demand' } } });
  const first = await connectStdio(config, { env });
  await expect.poll(() => first.toolNames()).toContain('f_echo');
  expect(pidsIn(log)).toHaveLength(1);
  const second = await connectStdio(config, { env });
  expect(await second.toolNames()).toContain('f_echo');
  expect(pidsIn(log)).toHaveLength(1);
  expect(await second.callText('f_echo', { text: 'now' })).toBe('now');
  expect(pidsIn(log)).toHaveLength(2);
  expect(linesOf(log).filter((line) => line.startsWith('call echo'))).toHaveLength(1);
});
