import { expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import {
  connectStdio,
  explain,
  fixture,
  openServe,
  openStdio,
  statusOf,
  upstreams,
  writeConfig,
} from '../../support/gateway.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const SECRET = 'swordfish-4711-swordfish';
const env = { FAULT_TOKEN: SECRET };
const DYING = fixture('hostile', '--mode=crash-at-start');
const WORDS = 'Its standard error ended with: cannot open the database';

const onDemand = (entry: object) => ({ ...entry, restart: 'on-demand' });

test('the error of a call to a server that cannot start quotes its standard error', async () => {
  const client = await connectStdio(upstreams({ d: onDemand(DYING) }));
  expect(await client.callText('d_go')).toContain(WORDS);
});

test('the error of a call that a server ends with quotes it, without secrets and escapes', async () => {
  const client = await connectStdio(upstreams({ w: { ...fixture('hostile', '--mode=words-mid-call'), env } }));
  const answer = JSON.stringify(await client.call('w_go'));
  expect(answer).toContain('Its standard error ended with: token [secret] was refused');
  expect(answer).not.toContain(SECRET);
  expect(answer).not.toContain('\\u001b');
});

test('so does that of a client of 2026-07-28', async () => {
  const { url } = await openServe(upstreams({ d: onDemand(DYING) }));
  const { json } = await new ModernHttpClient(url).post('tools/call', { name: 'd_go', arguments: {} });
  expect(JSON.stringify(json)).toContain(WORDS);
});

test('viaduct_status, viaduct_why, the status and "why" have it too', async () => {
  const config = writeConfig({
    enabledWorkflows: ['gateway'],
    upstreams: { d: DYING, ok: fixture('hostile') },
    lists: { graceMs: 20_000 },
  });
  const client = await connectStdio(config);
  await expect.poll(() => client.toolNames()).toContain('ok_echo');
  const reportOf = async (key: string) =>
    (await client.call('viaduct_status')).structuredContent.upstreams.find((one: any) => one.key === key);
  await expect.poll(async () => (await reportOf('d')).stderr).toContain('cannot open the database');
  expect((await reportOf('ok')).stderr).toEqual([]);
  expect((await client.call('viaduct_why', { tool: 'd_go' })).structuredContent.detail).toContain(WORDS);
  const [why] = await explain(config, 'd_go');
  expect(why.detail).toContain(WORDS);
  const status = (await statusOf(config)).upstreams.find(({ key }: any) => key === 'd');
  expect(status.stderr).toContain('cannot open the database');
});

test('a client with a token sees what a server wrote while it started, and nothing of the time of its calls', async () => {
  const { entry, headers } = tokenOf('other');
  const config = writeConfig({
    enabledWorkflows: ['gateway'],
    server: { tokens: [entry] },
    upstreams: { d: DYING, w: onDemand({ ...fixture('hostile', '--mode=words-mid-call'), env }) },
    lists: { graceMs: 20_000 },
  });
  const { url } = await openServe(config);
  const client = new ModernHttpClient(url);
  const call = async (name: string) => {
    return (await client.post('tools/call', { name, arguments: {} }, { headers })).json;
  };
  expect(JSON.stringify(await call('w_go'))).not.toContain('was refused');
  const stderrOf = async (key: string) => {
    const { upstreams: all } = (await call('viaduct_status')).result.structuredContent;
    return all.find((one: any) => one.key === key).stderr;
  };
  await expect.poll(() => stderrOf('d')).toContain('cannot open the database');
  expect(await stderrOf('w')).toEqual([]);
});

test('the list that failed is in viaduct_status and viaduct_why', async () => {
  const config = writeConfig({
    enabledWorkflows: ['gateway'],
    upstreams: { l: { ...fixture('hostile', '--mode=list-error'), timeouts: { listMs: 2_000 } } },
    lists: { graceMs: 3_000 },
  });
  const client = await openStdio(config);
  await client.initialize();
  const listErrors = async () => (await client.call('viaduct_status')).structuredContent.upstreams[0].listErrors;
  await expect
    .poll(listErrors)
    .toEqual([expect.stringContaining('tools/list was answered with an error: no list today')]);
  const { detail } = (await client.call('viaduct_why', { tool: 'l_echo' })).structuredContent;
  expect(detail).toContain('tools/list was answered with an error: no list today');
});

test('schemas that are not valid are in the status and in "why"', async () => {
  const config = upstreams({ s: fixture('hostile', '--mode=bad-schemas') });
  const { schemaFaults } = (await statusOf(config)).upstreams[0];
  expect(schemaFaults.map((one: any) => `${one.tool} ${one.path}`)).toEqual([
    'bad_type inputSchema.properties.day.type',
    'bad_null inputSchema.properties.a',
    'bad_root inputSchema',
  ]);
  const [bad, fine] = await explain(config, 's_bad_null', 's_fine');
  expect(bad).toMatchObject({ visible: true, fix: expect.stringContaining('upstreams.s.tools.deny') });
  expect(bad.detail).toContain('not valid JSON Schema');
  expect(bad.detail).toContain('inputSchema.properties.a is null');
  expect(fine.detail).not.toContain('not valid');
});
