import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../../src/app/load-settings.ts';
import { OwnAddresses } from '../../../src/app/own-addresses.ts';
import { serveHttp } from '../../../src/app/serve-http.ts';
import { freshHome, temporaryFolder, writeConfig } from '../../support/gateway.ts';

const SERVER = { host: '127.0.0.1', port: 31_415, allowedHosts: [], oauth: undefined };

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
  own.configure(SERVER);
  expect(own.list()).toEqual([{ host: '127.0.0.1', port: 31_415 }]);
  own.configure({
    ...SERVER,
    host: '::',
    port: 8443,
    allowedHosts: ['gw.example', 'gw.example:444', '[fd00::1]:80', 'no host/'],
  });
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
  own.configure({ ...SERVER, port: 0, oauth });
  expect(own.list()).toEqual([{ host: 'public.example', port: 443 }]);
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
