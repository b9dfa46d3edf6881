import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressRules } from '../../../../src/browser/guard/address-rules.ts';
import { OwnAddresses } from '../../../../src/gateway/providers/own-addresses.ts';
import { serveHttp } from '../../../../src/gateway/serving/serve-http.ts';
import { loadSettings } from '../../../../src/gateway/settings/load-settings.ts';
import { freshHome, temporaryFolder, writeConfig } from '../../../support/gateway.ts';

const SERVER = { host: '127.0.0.1', port: 31_415, allowedHosts: [], oauth: undefined };
const NONE = { enabledWorkflows: [], workflows: {} };

test('gateways of all configs are known while they run', async () => {
  const env = freshHome();
  let now = 0;
  const own = new OwnAddresses(env.VIADUCT_HOME!, () => now);
  const ports = () => {
    now += 1_000;
    return own.list().map(({ port }) => port);
  };
  expect(ports()).toEqual([]);
  const serve = async () => {
    const config = writeConfig({ upstreams: {} });
    const serving = await serveHttp(await loadSettings(config, env), env, { port: 0 });
    onTestFinished(() => serving.stop(0));
    return { serving, port: Number(new URL(serving.daemon.url).port) };
  };
  const [one, two] = [await serve(), await serve()];
  expect(new Set(ports())).toEqual(new Set([one.port, two.port]));
  await one.serving.stop(0);
  expect(ports()).toEqual([two.port]);
});

test('addresses of the config are known before it listens, by all their names', () => {
  const own = new OwnAddresses(temporaryFolder());
  own.configure({ server: SERVER, ...NONE });
  expect(own.list()).toEqual([{ host: '127.0.0.1', port: 31_415 }]);
  const allowedHosts = ['gw.example', 'gw.example:444', '[fd00::1]:80', 'no host/'];
  own.configure({ server: { ...SERVER, host: '::', port: 8443, allowedHosts }, ...NONE });
  expect(own.list()).toEqual([
    { host: '::', port: 8443 },
    { host: 'gw.example', port: 80 },
    { host: 'gw.example', port: 443 },
    { host: 'gw.example', port: 8443 },
    { host: 'gw.example', port: 444 },
    { host: 'fd00::1', port: 80 },
  ]);
  const oauth = {
    audience: 'https://public.example/mcp',
    issuer: '',
    scopes: [],
    requiredScopes: [],
    clockSkewSeconds: 0,
  };
  own.configure({ server: { ...SERVER, port: 0, oauth }, ...NONE });
  expect(own.list()).toEqual([{ host: 'public.example', port: 443 }]);
});

test('a gateway that listens at a name is reached by every address of this machine', async () => {
  const own = new OwnAddresses(temporaryFolder());
  own.configure({ server: { ...SERVER, host: 'my-machine.local', port: 8443 }, ...NONE });
  const rules = addressRules({ allowHosts: [], loopback: true, own: () => own.list() });
  for (const host of ['127.0.0.1', '127.0.1.1', '[::1]', 'localhost'])
    expect(await rules.check(`http://${host}:8443/`)).toMatchObject({ allowed: false });
  expect(await rules.check('http://127.0.1.1:8444/')).toEqual({ allowed: true });
});

test.each([
  ['127.0.0.1:8080', '127.0.0.1', 8080],
  [':8081', 'localhost', 8081],
  ['[::1]:8082', '::1', 8082],
])('the workflow live listens at %s', (addr, host, port) => {
  const own = new OwnAddresses(temporaryFolder());
  const server = { ...SERVER, port: 0 };
  own.configure({ server, enabledWorkflows: ['live'], workflows: { live: { addr } } });
  expect(own.list()).toContainEqual({ host, port });
  own.configure({ server, enabledWorkflows: ['live'], workflows: { live: { addr: '127.0.0.1:0' } } });
  expect(own.list()).toEqual([]);
  own.configure({ server, enabledWorkflows: [], workflows: { live: { addr } } });
  expect(own.list()).toEqual([]);
});

test('records that are damaged are passed over', () => {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'run'));
  for (const [name, text] of [
    ['a.json', '{'],
    ['b.json', '{"pid":1}'],
    ['c.sock', ''],
  ] as const)
    writeFileSync(path.join(home, 'run', name), text);
  expect(new OwnAddresses(home).list()).toEqual([]);
});

test('the address for JSON-RPC in lines is known, of the config and while it listens', async () => {
  const own = new OwnAddresses(temporaryFolder());
  own.configure({ server: { ...SERVER, port: 0, tcp: { host: '127.0.0.1', port: 9100 } }, ...NONE });
  expect(own.list()).toEqual([{ host: '127.0.0.1', port: 9100 }]);
  own.configure({ server: { ...SERVER, port: 0, tcp: { path: '/run/mcp.sock' } }, ...NONE });
  expect(own.list()).toEqual([]);
  const env = freshHome({ MCP_ADDR: ':0' });
  const serving = await serveHttp(await loadSettings(writeConfig({}), env), env, { port: 0 });
  onTestFinished(() => serving.stop(0));
  const port = Number(new URL(serving.daemon.tcpUrl!).port);
  expect(new OwnAddresses(env.VIADUCT_HOME!).list()).toContainEqual({ host: '127.0.0.1', port });
});
