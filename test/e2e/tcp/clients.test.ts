import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  connectTcp,
  dialTcp,
  introduction,
  line,
  modernParams,
  openTcpServe,
  recordedTcp,
  sendToEnd,
} from '../../support/clients/tcp-clients.ts';
import {
  fixture,
  freshHome,
  linesOf,
  openServe,
  statusOf,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';

const talkative = () => {
  const log = path.join(temporaryFolder(), 'log');
  return { log, upstreams: { t: fixture('talkative', `--log=${log}`) } };
};

describe('a client of go-ai finds what it knows', () => {
  test('its handshake, its ids, ping, and text beside structured content', async () => {
    const { tcp } = await openTcpServe({ enabledWorkflows: ['language'] });
    const client = await connectTcp(tcp);
    const answer = await client.request('initialize', { protocolVersion: '2024-11-05', capabilities: {} }, '"init-1"');
    expect(answer.value).toMatchObject({ jsonrpc: '2.0', id: 'init-1', result: { protocolVersion: '2024-11-05' } });
    client.notify('notifications/initialized');
    expect((await client.request('ping')).value.result).toEqual({});
    const { content, structuredContent } = await client.call('lang_detect', { path: 'main.go' });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(structuredContent).toMatchObject({ language: 'go' });
  });

  test('a line that is no JSON gets -32700 with the id null, blank lines get nothing, and both go on', async () => {
    const { tcp } = await openTcpServe({ enabledWorkflows: ['language'] });
    const client = await connectTcp(tcp);
    await client.initialize();
    client.write('');
    client.write('{"jsonrpc":');
    const refused = await client.waitFor(({ value }) => value.error !== undefined);
    expect(refused.value).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await client.toolNames()).toEqual(expect.arrayContaining(['lang_detect']));
    expect(client.messages.filter(({ value }) => value.error !== undefined)).toHaveLength(1);
  });

  test('each connection is a session of its own', async () => {
    const { tcp, env, config } = await openTcpServe({ enabledWorkflows: ['language'] });
    const [one, two] = [await connectTcp(tcp), await connectTcp(tcp)];
    await one.initialize({}, '2025-11-25', 'one');
    await two.initialize({}, '2025-06-18', 'two');
    const transports = async () =>
      (await statusOf(config, env)).sessions
        .filter(({ transport }: any) => transport === 'tcp')
        .map((s: any) => s.client);
    expect(await transports()).toEqual(['one', 'two']);
    one.end();
    await expect.poll(transports).toEqual(['two']);
  });

  test('MCP_ADDR opens the port, without a host on loopback only, and goes before the config', async () => {
    const env = freshHome({ MCP_ADDR: ':0' });
    const { tcp } = await openTcpServe({ server: { tcp: '[::1]:0' } }, env);
    expect(tcp).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
    const client = await connectTcp(tcp);
    expect(await client.initialize()).toMatchObject({ serverInfo: { name: 'viaduct' } });
  });

  test('a socket file works the same, is for its owner only, and goes with the gateway', async () => {
    const file = path.join(temporaryFolder(), 'run', 'mcp.sock');
    const { tcp } = await openTcpServe({ server: { tcp: file }, enabledWorkflows: ['language'] });
    expect(tcp).toBe(`unix://${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const client = await connectTcp(tcp);
    await client.initialize();
    expect(await client.callText('lang_detect', { path: 'a.py' })).toContain('python');
  });
});

test('nothing listens unless the config or the environment says so', async () => {
  const env = freshHome();
  await openServe(writeConfig({}), env);
  expect(recordedTcp(env)).toBe(undefined);
});

describe('both eras are served', () => {
  test('with the questions of servers, progress and log messages', async () => {
    const { upstreams } = talkative();
    const { tcp } = await openTcpServe({ upstreams });
    const client = await connectTcp(tcp);
    client.answers.set('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'mine' },
      model: 'm',
    }));
    await client.initialize({ sampling: {} });
    await client.toolNames();
    expect(JSON.stringify(await client.call('t_sample', { text: 'q' }))).toContain('mine');
  });

  test('with requests of 2026-07-28, each by itself', async () => {
    const { upstreams } = talkative();
    const { tcp } = await openTcpServe({ upstreams });
    const client = await connectTcp(tcp);
    const { value } = await client.request('server/discover', modernParams());
    expect(value.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    await client.request('tools/list', modernParams());
    const call = modernParams({ name: 't_echo', arguments: { text: 'é' } });
    const answer = await client.request('tools/call', call);
    expect(answer.value.result).toMatchObject({ resultType: 'complete', content: [{ text: 'talkative: é' }] });
  });

  test('requests that come all at once are all answered', async () => {
    const { upstreams } = talkative();
    const { tcp } = await openTcpServe({ upstreams });
    const client = await connectTcp(tcp);
    const count = 200;
    const calls = Array.from({ length: count }, (_, index) =>
      line('tools/call', { name: 't_echo', arguments: { text: index } }, `c${index}`),
    );
    const first = line('initialize', introduction(), 'i') + line('tools/list', {}, 'l') + calls.join('');
    client.socket.write(first);
    await client.waitFor(({ value }) => value.id === `c${count - 1}`);
    await expect
      .poll(() => client.messages.filter(({ value }) => value.result?.content !== undefined).length)
      .toBe(count);
  });

  test('a client that ends its side still gets its answers, with or without a last line break', async () => {
    const { tcp } = await openTcpServe({ enabledWorkflows: ['language'] });
    const list = line('tools/list');
    for (const text of [list, list.trimEnd(), `\u{feff}\r\n ${list}`]) {
      const answer = JSON.parse(await sendToEnd(tcp, text, true));
      expect(answer.result.tools.map(({ name }: any) => name)).toContain('lang_detect');
    }
  });
});

describe('a TCP client is not a program of this user', () => {
  const CONTROL = [
    'viaduct/status',
    'viaduct/tools',
    'viaduct/why',
    'viaduct/sync',
    'viaduct/pins',
    'viaduct/pins/accept',
  ];

  test.each(CONTROL)('it has no method %s', async (method) => {
    const { tcp } = await openTcpServe({});
    const client = await connectTcp(tcp);
    await client.initialize();
    expect((await client.request(method)).value.error.code).toBe(-32601);
    const modern = await connectTcp(tcp);
    expect((await modern.request(method, modernParams())).value.error.code).toBe(-32601);
  });

  test('it may name the folders that clients over HTTP may name, and no others', async () => {
    const [open, closed] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
    mkdirSync(path.join(open, 'a'));
    const { tcp } = await openTcpServe({ enabledWorkflows: ['files'], workspace: { clientFolders: [open] } });
    const client = await connectTcp(tcp);
    client.notify('notifications/viaduct/folder', { folder: closed });
    await client.initialize();
    const list = async (cwd?: string) => {
      const params = {
        name: 'dir_list',
        arguments: { path: '.' },
        ...(cwd !== undefined && { _meta: { 'viaduct/cwd': cwd } }),
      };
      return (await client.request('tools/call', params)).value.result;
    };
    expect((await list(open)).structuredContent.entries).toMatchObject([{ name: 'a' }]);
    for (const refused of [await list(closed), await list('/etc'), await list()]) expect(refused.isError).toBe(true);
  });

  test('it sees what its profile allows, and there is none by another name', async () => {
    const { upstreams } = talkative();
    const { tcp } = await openTcpServe({
      upstreams,
      enabledWorkflows: ['language'],
      profiles: { small: { upstreams: [], workflows: ['language'] }, default: { upstreams: ['t'], workflows: [] } },
    });
    const names = async (meta?: object) => {
      const client = await connectTcp(tcp);
      await client.request('initialize', introduction(meta));
      return client.toolNames();
    };
    expect(await names({ 'viaduct/profile': 'small' })).toEqual(['lang_detect', 'lang_list']);
    expect(await names()).toContain('t_echo');
    expect(await names()).not.toContain('lang_list');
    for (const profile of ['large', '', 7, null]) {
      const answer = JSON.parse(await sendToEnd(tcp, line('initialize', introduction({ 'viaduct/profile': profile }))));
      expect(answer).toMatchObject({
        id: 1,
        error: { code: -32602, message: expect.stringContaining('no such profile') },
      });
    }
  });

  test('what is said to the gateway alone reaches no server', async () => {
    const { log, upstreams } = talkative();
    const { tcp } = await openTcpServe({ upstreams: { t: { ...upstreams.t } } });
    const client = await connectTcp(tcp);
    await client.initialize();
    await client.toolNames();
    const _meta = { 'viaduct/authorization': 'Bearer very-secret', 'viaduct/profile': 'x', kept: 1 };
    await client.request('tools/call', { name: 't_echo', arguments: { text: 'x' }, _meta });
    expect(linesOf(log).join('\n')).not.toContain('very-secret');
  });
});

test('status, serve and doctor say where clients connect', async () => {
  const { tcp, env, config } = await openTcpServe({});
  const status = await viaduct(['status', '--config', config], env);
  expect(status.stdout).toContain(`JSON-RPC in lines: ${tcp}`);
  expect(JSON.parse((await viaduct(['status', '--json', '--config', config], env)).stdout).tcp).toBe(tcp);
  expect((await viaduct(['doctor', '--config', config], env)).stdout).toContain(tcp);
});

test('a socket that is dialled and dropped leaves nothing', async () => {
  const { tcp, env, config } = await openTcpServe({});
  for (let index = 0; index < 20; index++) (await dialTcp(tcp)).destroy();
  const client = await connectTcp(tcp);
  await client.initialize();
  expect((await statusOf(config, env)).sessions.filter((s: any) => s.transport === 'tcp')).toHaveLength(1);
});
