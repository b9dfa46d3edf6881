import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Check } from '../../../src/commands/doctor/checks/check.ts';
import {
  fixture,
  freshHome,
  linesOf,
  pidsIn,
  startServe,
  temporaryFolder,
  upstreams,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

interface Report {
  readonly code: number;
  readonly stdout: string;
  readonly ok: boolean;
  check(name: string): Check;
}

async function doctor(config: string, env = freshHome()): Promise<Report> {
  const { code, stdout, stderr } = await viaduct(['doctor', '--json', '--config', config], env);
  expect(stderr).toBe('');
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
  return { code, stdout, ok, check: (name) => checks.find((check) => check.name === name)! };
}

/** A port that somebody has, for as long as the test runs. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('all is well: each upstream is started once, and ended', async () => {
  const log = path.join(temporaryFolder(), 'log');
  const config = writeConfig({
    server: { port: 0 },
    upstreams: { f: fixture('hostile', `--log=${log}`), off: { ...fixture('hostile'), disabled: true } },
  });
  const report = await doctor(config);
  expect(report).toMatchObject({ code: 0, ok: true });
  expect(report.check('upstream f').text).toMatch(/^ready, \d+ tools, \d+ ms, \/.*node/);
  expect(report.check('upstream off')).toMatchObject({ mark: 'skipped' });
  for (const name of ['node', 'config', 'home', 'config mode', 'port', 'gateway', 'leftovers', 'disk']) {
    expect(report.check(name).mark, name).toMatch(/^(ok|skipped)$/);
  }
  const pids = pidsIn(log);
  expect(pids).toHaveLength(1);
  expect(pids.map(isAlive)).toEqual([false]);
});

test('what is wrong is told with what mends it, secrets aside, and nothing is started twice', async () => {
  const secret = 'swordfish-4711';
  const log = path.join(temporaryFolder(), 'starts');
  const dying = `echo start >>'${log}'; echo "cannot open the database with $KEY" >&2; exit 3`;
  const port = await takenPort();
  const config = writeConfig({
    server: { port },
    upstreams: {
      gone: { command: 'no-such-command-anywhere' },
      dies: { command: 'sh', args: ['-c', dying], env: { KEY: secret } },
      silent: { ...fixture('hostile', '--mode=silent-start'), timeouts: { connectMs: 500, listMs: 500 } },
      unheard: { ...fixture('hostile', '--mode=hang-list'), timeouts: { listMs: 500 } },
      partly: fixture('hostile', '--mode=bad-tools'),
      good: fixture('hostile'),
    },
  });
  chmodSync(config, 0o644);
  const report = await doctor(config);
  expect(report).toMatchObject({ code: 1, ok: false });
  expect(report.check('upstream gone')).toMatchObject({ mark: 'fail', fix: expect.stringContaining('upstreams.gone') });
  expect(report.check('upstream gone').text).toMatch(/not found\. Searched: \//);
  const dies = report.check('upstream dies');
  expect(dies).toMatchObject({ mark: 'fail', lines: ['stderr: cannot open the database with [secret]'] });
  expect(dies.text).toContain('process exited (code 3)');
  expect(dies.fix).toContain('&& sh -c');
  expect(linesOf(log)).toEqual(['start']);
  expect(report.check('upstream silent').mark).toBe('fail');
  expect(report.check('upstream unheard')).toMatchObject({ mark: 'warn' });
  expect(report.check('upstream partly')).toMatchObject({ mark: 'warn' });
  expect(report.check('upstream partly').lines!.join('\n')).toContain('arraySchema');
  expect(report.check('upstream good').mark).toBe('ok');
  expect(report.check('port')).toMatchObject({ mark: 'fail', fix: expect.stringContaining('--port 0') });
  expect(report.check('config mode')).toMatchObject({ mark: 'warn', fix: expect.stringContaining('chmod 600') });
  expect(report.stdout).not.toContain(secret);
});

test('people get one aligned line a check', async () => {
  const { code, stdout } = await viaduct(['doctor', '--config', upstreams({ bad: { command: 'no-such-command' } })]);
  expect(stdout).toMatch(/^ok {4}node {10}Node\.js /m);
  expect(stdout).toMatch(/^FAIL {2}upstream bad {2}failed: /m);
  expect(stdout).toMatch(/^ +fix: correct upstreams\.bad/m);
  expect(stdout).toMatch(/\d+ ok, \d+ to check, \d+ wrong\n$/);
  expect(code).toBe(1);
});

test('a config that is missing or not valid', async () => {
  const folder = temporaryFolder();
  const env = freshHome({ HOME: folder, XDG_CONFIG_HOME: '', VIADUCT_CONFIG: '' });
  const none = await viaduct(['doctor'], env, folder);
  expect(none.stdout).toMatch(/^FAIL {2}config .*there is no config file$/m);
  expect(none.stdout).toContain('fix: viaduct init');
  expect(none.code).toBe(1);
  const file = path.join(folder, 'bad.yaml');
  writeFileSync(file, 'schemaVersion: 1\nlimits:\n  cals: 1\n');
  const bad = await doctor(file);
  expect(bad.check('config')).toMatchObject({ mark: 'fail', text: expect.stringContaining('bad.yaml:3:3') });
  expect(bad.check('config').lines!.join('\n')).toContain('did you mean "calls"?');
  expect(bad.code).toBe(1);
  writeFileSync(file, 'schemaVersion: 1\nupstreams:\n  a:\n    comand: node\n');
  const faulty = await doctor(file);
  expect(faulty.check('config')).toMatchObject({ mark: 'warn', text: expect.stringContaining('with a fault: a') });
  expect(faulty.check('upstream a')).toMatchObject({ mark: 'fail', text: expect.stringContaining('line 4:5') });
  expect(faulty.code).toBe(1);
});

test('a home folder that cannot be used', async () => {
  const home = path.join(temporaryFolder(), 'file');
  writeFileSync(home, '');
  const report = await doctor(upstreams({ f: fixture('hostile') }), freshHome({ VIADUCT_HOME: home }));
  expect(report.check('home').mark).toBe('fail');
  expect(report.check('upstreams').mark).toBe('skipped');
  expect(report.code).toBe(1);
});

test('the gateway that runs is asked, and nothing is started beside it', async () => {
  const log = path.join(temporaryFolder(), 'log');
  const port = await takenPort();
  const config = writeConfig({ server: { port }, upstreams: { f: fixture('hostile', `--log=${log}`) } });
  const serving = await startServe(config);
  await expect.poll(async () => (await doctor(config, serving.env)).check('upstream f').mark).toBe('ok');
  const report = await doctor(config, serving.env);
  expect(report.check('gateway').text).toContain(serving.url);
  expect(report.check('upstream f').text).toMatch(/^ready, \d+ tools, since /);
  expect(report.check('port').text).toContain('another program');
  expect(pidsIn(log)).toHaveLength(1);
});

test('its own port, that of another gateway, and what a killed one left behind', async () => {
  const config = upstreams({});
  const serving = await startServe(config);
  const port = Number(new URL(serving.url).port);
  const same = writeConfig({ server: { port }, upstreams: {} });
  const other = await doctor(same, serving.env);
  expect(other.check('port')).toMatchObject({
    mark: 'fail',
    fix: expect.stringContaining(`kill ${serving.child.pid}`),
  });
  const run = path.join(serving.env.VIADUCT_HOME!, 'run');
  mkdirSync(run, { recursive: true });
  const left = path.join(run, '0123456789ab.json');
  writeFileSync(left, JSON.stringify({ pid: 1, url: 'http://127.0.0.1:1/mcp', socket: path.join(run, 'none.sock') }));
  const stale = (await doctor(config, serving.env)).check('gateway');
  expect(stale).toMatchObject({ mark: 'warn', fix: `rm ${left}` });
});
