import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnClient } from '../../support/clients/raw-client.ts';
import {
  connectStdio,
  fakeXcode,
  fixture,
  freshHome,
  linesOf,
  openServe,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

const CONFIG = { enabledWorkflows: ['xcode-ide'], upstreams: { good: fixture('hostile') } };
const STABLE = ['xcode_tools_bridge_status', 'xcode_tools_bridge_sync'];
const DISCONNECT = 'xcode_tools_bridge_disconnect';

const xcodeNames = (names: readonly string[]) => names.filter((name) => name.startsWith('xcode_tools_'));
const starts = (log: string) => linesOf(log).filter((line) => line.startsWith('start '));

async function connectWithXcode(...bridgeArgs: string[]) {
  const xcode = fakeXcode(...bridgeArgs);
  const env = freshHome({ PATH: xcode.path });
  // Where the bridge answers, the first list has its tools however slow the machine is.
  const graceMs = bridgeArgs.includes('--silent-list') ? 800 : 20_000;
  const client = await connectStdio(writeConfig({ ...CONFIG, lists: { graceMs } }), { env });
  return { ...xcode, env, client };
}

describe('with a bridge', () => {
  test('every tool is registered under its name, with the two stable tools and disconnect', async () => {
    const { client, log } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const names = xcodeNames(await client.toolNames());
    expect(names).toEqual(
      expect.arrayContaining([...STABLE, DISCONNECT, 'xcode_tools_XcodeListWindows', 'xcode_tools_BuildProject']),
    );
    expect(starts(log)).toHaveLength(1);
  });

  test('a listed tool is what the bridge wrote, but for the name and hints it lacks', async () => {
    const { client } = await connectWithXcode();
    const bridge = fixture('xcode-bridge');
    const direct = spawnClient(bridge.command, bridge.args);
    await direct.client.initialize();
    const own = (await direct.client.request('tools/list')).value.result.tools;
    await endChild(direct.child);
    expect(JSON.stringify(own).length).toBeGreaterThan(30_000);
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const listed = (await client.request('tools/list')).value.result.tools;
    for (const tool of own) {
      const { annotations, ...rest } = listed.find((entry: any) => entry.name === `xcode_tools_${tool.name}`);
      expect(rest).toEqual({ ...tool, name: `xcode_tools_${tool.name}` });
      expect(annotations.readOnlyHint).toBeTypeOf('boolean');
    }
    const hintsOf = (name: string) => listed.find((entry: any) => entry.name === `xcode_tools_${name}`).annotations;
    expect(hintsOf('XcodeRead')).toEqual({ readOnlyHint: true, destructiveHint: false });
    expect(hintsOf('XcodeRM')).toEqual({ readOnlyHint: false, destructiveHint: true });
    expect(hintsOf('XcodeMakeDir')).toEqual({ readOnlyHint: false, destructiveHint: false });
  });

  test('a call is forwarded and its result comes back byte for byte', async () => {
    const { client, log } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const args = '{"tabIdentifier":"windowtab1","detail":"1.0 \\u00e9"}';
    const answer = await client.request('tools/call', `{"name":"xcode_tools_XcodeRead","arguments":${args}}`, '"s"');
    const message = 'XcodeRead {"tabIdentifier":"windowtab1","detail":"1.0 é"}';
    const structured = JSON.stringify({ message });
    expect(answer.text).toBe(
      `{"jsonrpc":"2.0","id":"s","result":${JSON.stringify({ content: [{ type: 'text', text: structured }], structuredContent: { message } })}}`,
    );
    expect(linesOf(log).at(-1)).toContain('call XcodeRead {"tabIdentifier":"windowtab1","detail":"1.0 é"}');
  });

  test('arguments that do not fit the schema are refused with words a model can use, and not sent', async () => {
    const { client, log } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const result = await client.call('xcode_tools_XcodeRead', { detail: 5 });
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('tabIdentifier');
    expect(linesOf(log).some((line) => line.startsWith('call '))).toBe(false);
    for (const operation of ['move', { rawValue: 'move' }]) {
      expect((await client.call('xcode_tools_XcodeMV', { tabIdentifier: 't', operation })).isError).toBeUndefined();
    }
  });

  test('tools that come and go while it runs are added and removed, each with a notice', async () => {
    const { client } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    await client.call('xcode_tools_FixtureAddTool', { name: 'XcodeNew' });
    await expect.poll(() => client.toolNames()).toContain('xcode_tools_XcodeNew');
    await client.call('xcode_tools_FixtureRemoveTool', { name: 'XcodeRead' });
    await expect.poll(() => client.toolNames()).not.toContain('xcode_tools_XcodeRead');
    expect(client.notifications('notifications/tools/list_changed').length).toBeGreaterThanOrEqual(2);
  });

  test('six clients share one bridge, each with its own answers', async () => {
    const xcode = fakeXcode();
    const config = writeConfig(CONFIG);
    const serving = await openServe(config, freshHome({ PATH: xcode.path }));
    const clients = await Promise.all(Array.from({ length: 6 }, () => connectStdio(config, { env: serving.env })));
    await Promise.all(
      clients.map((client) => expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23)),
    );
    const texts = await Promise.all(
      clients.map((client, index) => client.callText('xcode_tools_XcodeLS', { tabIdentifier: `tab${index}` })),
    );
    expect(texts.map((text) => /tab\d/.exec(text)![0])).toEqual(['tab0', 'tab1', 'tab2', 'tab3', 'tab4', 'tab5']);
    expect(starts(xcode.log)).toHaveLength(1);
  });

  test('calls that name one tab run one after the other, others beside them', async () => {
    const { client, log } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const build = (tabIdentifier: string) => client.callText('xcode_tools_BuildProject', { tabIdentifier });
    await Promise.all([build('same'), build('same'), build('same')]);
    const running = () => linesOf(log).flatMap((line) => /running=(\d+)/.exec(line)?.[1] ?? []);
    expect(running()).toEqual(['1', '1', '1']);
    await Promise.all([build('one'), build('two')]);
    expect(running().slice(3)).toEqual(['1', '2']);
  });

  test('the session id is kept between runs, and the process id of Xcode is handed on', async () => {
    const xcode = fakeXcode();
    const env = freshHome({ PATH: xcode.path, XCODEBUILDMCP_XCODE_PID: '4711' });
    const config = writeConfig(CONFIG);
    for (let run = 0; run < 2; run++) await viaduct(['sync', '--config', config], env);
    const [first, second] = starts(xcode.log).map((line) => line.replace(/^start \d+ /, ''));
    expect(first).toMatch(/^session=[0-9a-f-]{36} xcode=4711$/);
    expect(second).toBe(first);
  });
});

describe('while Xcode does not run', () => {
  test('status has the words of the bridge and says what to do; sync brings the tools once Xcode runs', async () => {
    const xcode = path.join(temporaryFolder(), 'xcode');
    const { client, log } = await connectWithXcode(`--needs=${xcode}`);
    const status = async () => (await client.call('xcode_tools_bridge_status')).structuredContent;
    await expect.poll(status).toMatchObject({
      state: 'stopped',
      xcodeRunning: false,
      bridgeStderr: ['error: no Xcode process was found'],
      nextStep: expect.stringMatching(/start Xcode/),
    });
    writeFileSync(xcode, '');
    expect((await client.call('xcode_tools_bridge_sync')).structuredContent).toMatchObject({ total: 20 });
    expect(await status()).not.toHaveProperty('nextStep');
    expect(starts(log)).toHaveLength(2);
  });
});

describe('when the bridge dies', () => {
  test('its tools are unregistered with one notice, status says why, nothing is started by itself, sync brings it back', async () => {
    const { client, log } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    const before = client.notifications('notifications/tools/list_changed').length;
    expect((await client.call('xcode_tools_FixtureCrash')).isError).toBe(true);
    await expect.poll(() => client.toolNames().then(xcodeNames)).toEqual(STABLE);
    expect(client.notifications('notifications/tools/list_changed')).toHaveLength(before + 1);
    const status = (await client.call('xcode_tools_bridge_status')).structuredContent;
    expect(status).toMatchObject({ connected: false, state: 'stopped', proxiedToolCount: 0, bridgePid: null });
    expect(status.lastError).toContain('process exited (code 139)');
    expect((await client.call('xcode_tools_XcodeRead', { tabIdentifier: 't' })).isError).toBe(true);
    expect(starts(log)).toHaveLength(1);
    expect((await client.call('xcode_tools_bridge_sync')).structuredContent).toEqual({
      added: 20,
      updated: 0,
      removed: 0,
      total: 20,
    });
    expect(starts(log)).toHaveLength(2);
    expect(await client.callText('good_echo', { text: 'unharmed' })).toBe('unharmed');
  });

  test('disconnect stops it and unregisters its tools', async () => {
    const { client } = await connectWithXcode();
    await expect.poll(async () => xcodeNames(await client.toolNames()).length).toBe(23);
    expect((await client.call(DISCONNECT)).structuredContent).toEqual({
      disconnected: true,
      nextStep: 'To connect again: call xcode_tools_bridge_sync',
    });
    expect(xcodeNames(await client.toolNames())).toEqual(STABLE);
    expect((await client.call('xcode_tools_bridge_sync')).structuredContent.total).toBe(20);
  });
});

describe('while Xcode waits for its user', () => {
  test('the state is waiting with what the user has to do, and other tools are there', async () => {
    const { client } = await connectWithXcode('--silent-list');
    await expect.poll(() => client.toolNames()).toContain('good_echo');
    await expect
      .poll(async () => (await client.call('xcode_tools_bridge_status')).structuredContent.state)
      .toBe('waiting');
    const { reason, bridgePid } = (await client.call('xcode_tools_bridge_status')).structuredContent;
    expect(reason).toContain('Allow external agents');
    expect(bridgePid).toBeTypeOf('number');
    const sync = await client.call('xcode_tools_bridge_sync');
    expect(sync.isError).toBe(true);
    expect(sync.content[0].text).toContain('allow the connection');
  });

  test('once it is allowed, the tools appear; in the next run they are there before that', async () => {
    const approval = path.join(temporaryFolder(), 'approved');
    const xcode = fakeXcode(`--approve=${approval}`);
    const env = freshHome({ PATH: xcode.path });
    const config = writeConfig(CONFIG);
    const first = await connectStdio(config, { env });
    expect(xcodeNames(await first.toolNames())).not.toContain('xcode_tools_XcodeRead');
    writeFileSync(approval, '');
    await expect.poll(() => first.toolNames()).toContain('xcode_tools_XcodeRead');

    const silent = fakeXcode('--silent-list');
    const second = await connectStdio(config, { env: { ...env, PATH: silent.path } });
    expect(await second.toolNames()).toContain('xcode_tools_XcodeRead');
    await expect.poll(() => starts(silent.log)).toHaveLength(1);
  });
});

describe('without a bridge', () => {
  test('only status and sync are there, the gateway is healthy, both tools say what is missing', async () => {
    const client = await connectStdio(writeConfig(CONFIG));
    expect(xcodeNames(await client.toolNames())).toEqual(STABLE);
    expect(await client.callText('good_echo', { text: 'healthy' })).toBe('healthy');
    const status = (await client.call('xcode_tools_bridge_status')).structuredContent;
    expect(status).toMatchObject({ workflowEnabled: true, bridgeAvailable: false, bridgePath: null, connected: false });
    expect(status.bridgeProblem).toContain('xcrun was not found');
    const sync = await client.call('xcode_tools_bridge_sync');
    expect(sync.isError).toBe(true);
    expect(sync.content[0].text).toContain('not available');
  });

  test('with the workflow off nothing of it is there', async () => {
    const xcode = fakeXcode();
    const client = await connectStdio(writeConfig({ upstreams: { good: fixture('hostile') } }), {
      env: freshHome({ PATH: xcode.path }),
    });
    expect(xcodeNames(await client.toolNames())).toEqual([]);
    expect(starts(xcode.log)).toEqual([]);
  });
});

describe('the probe', () => {
  test('prints the server, the tools and the windows', async () => {
    const { code, stdout } = await viaduct(['probe', '--names', '2'], freshHome({ PATH: fakeXcode().path }));
    expect(stdout).toMatch(/server\s+xcode-tools 24582 \(protocol 2025-06-18\)/);
    expect(stdout).toMatch(/tools\s+20/);
    expect(stdout).toContain('… 18 more');
    expect(stdout).toContain('windowtab1  /Users/me/App/App.xcodeproj');
    expect(code).toBe(0);
  });

  test('without Xcode it says what is missing', async () => {
    const { code, stdout } = await viaduct(['probe']);
    expect(stdout).toContain('xcrun was not found');
    expect(code).toBe(1);
  });

  test('without approval it says what to do in Xcode', async () => {
    const { code, stdout } = await viaduct(['probe'], freshHome({ PATH: fakeXcode('--silent-list').path }));
    expect(stdout).toContain('Allow external agents');
    expect(code).toBe(1);
  });
});
