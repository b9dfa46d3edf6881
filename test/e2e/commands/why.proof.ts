import { describe, expect, test } from 'vitest';
import {
  connectStdio,
  explain,
  fixture,
  freshHome,
  openServe,
  upstreams,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';

async function why(tool: string, config: string, env = freshHome()) {
  const { code, stdout, stderr } = await viaduct(['why', tool, '--json', '--config', config], env);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

describe('viaduct why', () => {
  test('a tool that clients see, for people and for programs', async () => {
    const config = upstreams({ f: fixture('hostile') });
    const { code, stdout } = await viaduct(['why', 'echo', '--config', config]);
    expect(stdout).toBe('echo: clients see it (listed)\n  Clients see it as f_echo: tool "echo" of the upstream f.\n');
    expect(code).toBe(0);
    expect(await why('f_echo', config)).toMatchObject({ code: 0, visible: true, publicName: 'f_echo', provider: 'f' });
  });

  test('a tool that does not exist, with the name that was meant', async () => {
    const { code, stdout } = await viaduct(['why', 'f_ecko', '--config', upstreams({ f: fixture('hostile') })]);
    expect(stdout).toContain('clients do not see it (unknown)');
    expect(stdout).toContain('fix: use f_echo');
    expect(code).toBe(1);
  });

  test('what a glob hides and what clients refuse', async () => {
    const config = upstreams({
      f: { ...fixture('hostile'), tools: { deny: ['d*'] } },
      bad: fixture('hostile', '--mode=bad-tools'),
    });
    const denied = await why('f_die', config);
    expect(denied).toMatchObject({ code: 1, visible: false, cause: 'filtered', provider: 'f' });
    expect(denied.detail).toContain('upstreams.f.tools.deny[0], "d*"');
    const [unusable] = await explain(config, 'bad_arraySchema');
    expect(unusable).toMatchObject({ cause: 'unusable', provider: 'bad' });
  });

  test('a tool with another name than its server gives it', async () => {
    const prefix = 'a-prefix-of-thirty-eight-characters-yes';
    const config = writeConfig({ names: { maxLength: 40 }, upstreams: { f: { ...fixture('hostile'), prefix } } });
    const [long, own] = await explain(config, 'echo', `${prefix}_echo`);
    expect(long).toMatchObject({ visible: true, publicName: expect.stringMatching(/^a-prefix.*_[0-9a-f]{8}$/) });
    expect(long.detail).toContain('names.maxLength');
    expect(own).toMatchObject({ visible: true, publicName: long.publicName });
  });

  test('an upstream that cannot be started, one that dies, one that is switched off, a workflow that is off', async () => {
    const config = upstreams({
      gone: { command: 'no-such-command-anywhere' },
      dies: fixture('hostile', '--mode=crash-at-start'),
      off: { ...fixture('hostile'), disabled: true },
    });
    const [gone, dies, off, own, bundled] = await explain(
      config,
      'gone_x',
      'dies_x',
      'off_x',
      'viaduct_why',
      'xcode_tools_XcodeRead',
    );
    expect(gone).toMatchObject({ cause: 'upstream-not-ready', provider: 'gone' });
    expect(gone.detail).toContain('command "no-such-command-anywhere" not found');
    expect(gone.fix).toContain('viaduct sync gone');
    expect(dies.detail).toContain('process exited (code 3)');
    expect(off).toMatchObject({ cause: 'upstream-disabled', provider: 'off' });
    expect(own).toMatchObject({ cause: 'workflow-off', provider: 'gateway' });
    expect(bundled).toMatchObject({
      cause: 'workflow-off',
      provider: 'xcode-ide',
    });
  });

  test('of the gateway that runs', async () => {
    const config = upstreams({ f: fixture('hostile') });
    const { env } = await openServe(config);
    const client = await connectStdio(config, { env });
    await client.call('f_add-tool', { name: 'fresh' });
    await expect.poll(() => client.toolNames()).toContain('f_fresh');
    expect(await why('f_fresh', config, env)).toMatchObject({ code: 0, visible: true });
  });
});

describe('the gateway workflow', () => {
  const SECRET = 'swordfish-4711';
  const config = () =>
    writeConfig({
      lists: { graceMs: 20_000 },
      enabledWorkflows: ['gateway'],
      upstreams: {
        f: { ...fixture('hostile'), tools: { deny: ['die'] } },
        tells: { command: 'sh', args: ['-c', 'echo "bad token $TOKEN" >&2; exit 3'], env: { TOKEN: SECRET } },
        unheard: { command: './no/$TOKEN', args: [], env: { TOKEN: SECRET }, cwd: `/no/${SECRET}` },
      },
    });

  test('viaduct_why tells an agent why a tool is missing', async () => {
    const client = await connectStdio(config());
    expect(await client.toolNames()).toEqual(expect.arrayContaining(['viaduct_status', 'viaduct_why', 'f_echo']));
    const { structuredContent } = await client.call('viaduct_why', { tool: 'f_die' });
    expect(structuredContent).toMatchObject({ tool: 'f_die', visible: false, cause: 'filtered', provider: 'f' });
    expect((await client.call('viaduct_why', { tool: 'f_echo' })).structuredContent.visible).toBe(true);
    expect((await client.call('viaduct_why', {})).isError).toBe(true);
    const { value } = await client.request('tools/list');
    const own = value.result.tools.filter(({ name }: any) => name.startsWith('viaduct_'));
    for (const { annotations } of own)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });

  test('viaduct_status shows the upstreams; no secret is in it, nor in what the commands show', async () => {
    const file = config();
    const env = freshHome();
    const client = await connectStdio(file, { env });
    await expect
      .poll(async () => (await client.call('viaduct_status')).structuredContent.upstreams)
      .toEqual([
        expect.objectContaining({ key: 'f', state: 'ready', tools: expect.any(Number), reason: null }),
        expect.objectContaining({ key: 'tells', lastError: expect.stringContaining('process exited (code 3)') }),
        expect.objectContaining({ key: 'unheard', state: 'failed', reason: expect.stringContaining('[secret]') }),
      ]);
    const texts = [
      JSON.stringify(await client.call('viaduct_status')),
      JSON.stringify(await client.call('viaduct_why', { tool: 'unheard_x' })),
      JSON.stringify(await client.call('viaduct_why', { tool: 'tells_x' })),
      (await viaduct(['status', '--json', '--config', file], env)).stdout,
      (await viaduct(['why', 'unheard_x', '--config', file], env)).stdout,
    ];
    expect(texts[3]).toContain('bad token [secret]');
    for (const text of texts) expect(text).not.toContain(SECRET);
  });
});
