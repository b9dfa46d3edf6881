import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { spawnClient } from '../../support/clients/raw-client.ts';
import { type FixtureProgram, startProgram } from '../../support/fixture-programs.ts';
import { BIN, connectStdio, freshHome, linesOf, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { sendJson, startHttpServer } from '../../support/http/http-server.ts';

const STABLE = ['vscode_bridge_status', 'vscode_bridge_sync'];
const DISCONNECT = 'vscode_bridge_disconnect';
const EDIT = 'vscode_rewrite_file_content';
const DIALECTS = ['ggmcp-rest', 'ggmcp-rpc'] as const;

/** A folder with one file in it. */
function project(name: string): string {
  const folder = path.join(temporaryFolder(), name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.txt'), `of ${name}`);
  return folder;
}

const window = (folder: string, fixture: string = 'ggmcp-rest', ...args: string[]) =>
  startProgram(fixture, [`--workspace=${folder}`, ...args]);

const configFor = (options: object) =>
  writeConfig({ enabledWorkflows: ['vscode-ide'], workflows: { 'vscode-ide': options }, lists: { graceMs: 20_000 } });

async function connect(windows: readonly FixtureProgram[], options: object = {}): Promise<RawClient> {
  const client = await connectStdio(configFor({ ports: windows.map(({ port }) => port), ...options }));
  await expect.poll(() => client.toolNames()).toContain(EDIT);
  return client;
}

/** Calls as a client that says in which folder it works. */
async function callFrom(client: RawClient, folder: string, name: string, args: object): Promise<any> {
  const answer = await client.request('tools/call', { name, arguments: args, _meta: { cwd: folder } });
  return answer.value.result;
}

const edit = (client: RawClient, folder: string, text: string) =>
  callFrom(client, folder, EDIT, { pathInProject: 'a.txt', text });
const contentOf = (folder: string) => readFileSync(path.join(folder, 'a.txt'), 'utf8');
const statusOf = async (client: RawClient) => (await client.call('vscode_bridge_status')).structuredContent;

describe.each(DIALECTS)('one window of %s', (fixture) => {
  test('has its 41 tools under their names, and what they do is done there', async () => {
    const folder = project('one');
    const client = await connect([await window(folder, fixture)]);
    const names = await client.toolNames();
    expect(names).toHaveLength(41 + 3);
    expect(names).toEqual(expect.arrayContaining([...STABLE, DISCONNECT, 'vscode_get_branch_info']));
    const read = await callFrom(client, folder, 'vscode_get_file_text_by_path', { pathInProject: 'a.txt' });
    expect(JSON.parse(read.content[0].text)).toEqual({ content: 'of one', pathInProject: 'a.txt' });
    expect((await edit(client, folder, 'changed')).content[0].text).toBe('ok');
    expect(contentOf(folder)).toBe('changed');
    const failed = await callFrom(client, folder, 'vscode_get_open_in_editor_file_path', {});
    expect(failed).toMatchObject({ content: [{ type: 'text', text: 'no editor is open' }], isError: true });
  });

  test('is what the url names', async () => {
    const folder = project('one');
    const { port } = await window(folder, fixture);
    const client = await connectStdio(configFor({ url: `http://127.0.0.1:${port}/mcp` }));
    await expect.poll(() => client.toolNames()).toContain(EDIT);
    expect((await client.call(EDIT, { pathInProject: 'a.txt', text: 'by url' })).content[0].text).toBe('ok');
    expect(contentOf(folder)).toBe('by url');
    expect(await statusOf(client)).toMatchObject({ connected: true, pluginFound: true, proxiedToolCount: 41 });
  });

  test('that closes takes its tools along; one that opens brings them back', async () => {
    const folder = project('one');
    const first = await window(folder, fixture);
    const client = await connect([first]);
    await first.stop();
    await client.call(EDIT, { pathInProject: 'a.txt', text: 'x' });
    await expect.poll(() => client.toolNames()).toEqual(STABLE);
    expect((await statusOf(client)).whatToDo).toContain('open your project in VS Code again');
    const called = await client.callText(EDIT, { pathInProject: 'a.txt', text: 'x' });
    expect(called).toContain('the last window was closed');
    expect(called).toContain('call vscode_bridge_sync');
    await window(folder, fixture, `--port=${first.port}`);
    expect((await client.call('vscode_bridge_sync')).structuredContent).toMatchObject({ added: 41, total: 41 });
  });
});

describe('the older dialect', () => {
  test('structure comes as structure, and as the text that it was', async () => {
    const folder = project('one');
    const client = await connect([await window(folder)]);
    const result = await callFrom(client, folder, 'vscode_get_file_text_by_path', { pathInProject: 'a.txt' });
    const structuredContent = { content: 'of one', pathInProject: 'a.txt' };
    expect(result).toMatchObject({ content: [{ text: JSON.stringify(structuredContent) }], structuredContent });
    expect(result._meta).toMatchObject({ operationTime: 1, toolName: 'get_file_text_by_path' });
  });

  test('a call that is cancelled goes no further, others do', async () => {
    const folder = project('one');
    const client = await connect([await window(folder)]);
    const args = { pathInProject: 'a.txt', line: 1, character: 1 };
    client.write(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'h',
        method: 'tools/call',
        params: { name: 'vscode_find_references', arguments: args, _meta: { cwd: folder } },
      }),
    );
    client.notify('notifications/cancelled', { requestId: 'h' });
    expect((await edit(client, folder, 'on')).content[0].text).toBe('ok');
    expect(client.messages.some(({ value }) => value.id === 'h')).toBe(false);
  });

  test('a tool that comes while it runs is noticed by looking', async () => {
    const folder = project('one');
    const client = await connect([await window(folder)]);
    await callFrom(client, folder, 'vscode_fixture_add_tool', { name: 'brand_new' });
    await client.waitFor(({ value }) => value.method === 'notifications/tools/list_changed');
    await expect.poll(() => client.toolNames()).toContain('vscode_brand_new');
  });

  test('arguments that do not fit are refused, because the plug-in itself does not look', async () => {
    const folder = project('one');
    const log = path.join(temporaryFolder(), 'calls');
    const client = await connect([await window(folder, 'ggmcp-rest', `--log=${log}`)]);
    expect(await callFrom(client, folder, EDIT, { pathInProject: 'a.txt' })).toMatchObject({ isError: true });
    expect(linesOf(log)).toEqual([]);
  });
});

describe('several windows', () => {
  const two = async () => {
    const folders = [project('left'), project('right')] as const;
    const logs = folders.map((folder) => path.join(path.dirname(folder), 'log'));
    const windows = await Promise.all(
      folders.map((folder, index) => window(folder, 'ggmcp-rest', `--log=${logs[index]}`)),
    );
    return { folders, windows, logs };
  };

  test('a call goes to the window that has the folder of its client open', async () => {
    const { folders, windows } = await two();
    const client = await connect(windows);
    for (const folder of folders) await edit(client, folder, `edited ${path.basename(folder)}`);
    expect(folders.map(contentOf)).toEqual(['edited left', 'edited right']);
    const below = path.join(folders[1], 'src', 'deep');
    mkdirSync(below, { recursive: true });
    await edit(client, below, 'from below');
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(folders[0], link);
    await edit(client, link, 'through a link');
    expect(folders.map(contentOf)).toEqual(['through a link', 'from below']);
  });

  test('roots count, and the folder in which the client was started', async () => {
    const { folders, windows } = await two();
    const config = configFor({ ports: windows.map(({ port }) => port) });
    const { client, child } = spawnClient(
      process.execPath,
      [BIN, 'stdio', '--config', config],
      freshHome(),
      folders[0],
    );
    client.answers.set('roots/list', () => ({ roots: [{ uri: pathToFileURL(folders[1]).href }] }));
    await client.initialize({ roots: {} });
    await expect.poll(() => client.toolNames()).toContain(EDIT);
    await client.call(EDIT, { pathInProject: 'a.txt', text: 'by roots' });
    client.answers.set('roots/list', () => ({ roots: [] }));
    client.notify('notifications/roots/list_changed');
    await client.call(EDIT, { pathInProject: 'a.txt', text: 'by start' });
    expect(folders.map(contentOf)).toEqual(['by start', 'by roots']);
    client.end();
    await new Promise((resolve) => child.once('exit', resolve));
  });

  test('nobody gets a call of a client that works elsewhere; the answer names the windows and what helps', async () => {
    const { folders, windows, logs } = await two();
    const client = await connect(windows);
    for (const elsewhere of [project('third'), `${folders[0]}-other`]) {
      const result = await edit(client, elsewhere, 'lost');
      expect(result.isError).toBe(true);
      for (const folder of folders) expect(result.content[0].text).toContain(folder);
      expect(result.content[0].text).toContain('"workspace"');
      expect(result._meta['viaduct/gateway']).toMatchObject({ reason: 'not_connected', effect: 'none' });
    }
    expect(logs.flatMap(linesOf)).toEqual([]);
  });

  test('a folder that is above several of them decides nothing, one that is above one does', async () => {
    const outer = temporaryFolder();
    const [inner, other] = [path.join(outer, 'inner'), path.join(outer, 'other')];
    for (const folder of [inner, other]) mkdirSync(folder);
    for (const folder of [inner, other]) writeFileSync(path.join(folder, 'a.txt'), 'as it was');
    const [first, second] = [await window(inner), await window(other)];
    const client = await connect([first, second]);
    expect((await edit(client, outer, 'lost')).isError).toBe(true);
    await second.stop();
    expect((await edit(client, outer, 'found')).isError).toBeUndefined();
    expect([inner, other].map(contentOf)).toEqual(['found', 'as it was']);
  });

  test('a window that opens another folder gets no more calls for the one before', async () => {
    const [before, after] = [project('before'), project('after')];
    const first = await window(before);
    const client = await connect([first]);
    await edit(client, before, 'there');
    await first.stop();
    const log = path.join(temporaryFolder(), 'log');
    await window(after, 'ggmcp-rest', `--port=${first.port}`, `--log=${log}`);
    // It is looked at again at the first call that comes more than a second after the last look.
    await expect.poll(() => edit(client, after, 'here')).not.toHaveProperty('isError');
    const result = await edit(client, before, 'lost');
    expect(result.content[0].text).toContain(`no window is known to have the folder ${before} open`);
    expect([before, after].map(contentOf)).toEqual(['there', 'here']);
    expect(linesOf(log).filter((line) => line.includes('lost'))).toEqual([]);
  });

  test('a call that waited for its turn is not sent to a window that has another folder open by then', async () => {
    let workspace = '/before';
    let looks = 0;
    const edits: string[] = [];
    const { port } = await startHttpServer(({ path: where, body }, response) => {
      if (where === '/mcp/list_tools') sendJson(response, [{ name: 'edit', inputSchema: { type: 'object' } }]);
      else if (where === '/mcp/edit') {
        edits.push(JSON.parse(body).text);
        // The first one never ends.
        if (edits.length > 1) sendJson(response, { status: 'ok', error: null });
      } else {
        looks++;
        sendJson(response, { result: { environment: { workspaceRoot: workspace } } });
      }
    });
    const entry = { ports: [port], maxConcurrency: 1 };
    const client = await connectStdio(writeConfig({ upstreams: { ide: entry }, lists: { graceMs: 20_000 } }));
    expect(await client.toolNames()).toContain('ide_edit');
    const first = callFrom(client, '/before', 'ide_edit', { text: 'first' });
    await expect.poll(() => edits).toEqual(['first']);
    const before = looks;
    const second = callFrom(client, '/before', 'ide_edit', { text: 'second' });
    // The window was asked once more, so the call is in the queue behind the first.
    await expect.poll(() => looks).toBeGreaterThan(before);
    workspace = '/after';
    await expect.poll(() => callFrom(client, '/after', 'ide_edit', { text: 'third' })).not.toHaveProperty('isError');
    expect((await first).content[0].text).toContain('its window was closed, or has another folder open');
    expect((await second).isError).toBe(true);
    expect(edits).toEqual(['first', 'third']);
  });

  test('the configured folder is meant, whoever calls', async () => {
    const { folders, windows } = await two();
    const client = await connect(windows, { workspace: folders[1] });
    await edit(client, folders[0], 'as configured');
    expect(folders.map(contentOf)).toEqual(['of left', 'as configured']);
  });

  test('the status shows each; one that closes leaves the others', async () => {
    const { folders, windows } = await two();
    const client = await connect(windows);
    const { windows: shown } = await statusOf(client);
    expect(shown).toHaveLength(2);
    const plugin = 'vscode-mcp-server 1.0.0';
    for (const workspace of folders) expect(shown).toContainEqual(expect.objectContaining({ workspace, plugin }));
    await windows[0]!.stop();
    await client.call('vscode_bridge_sync');
    expect((await statusOf(client)).windows).toMatchObject([{ workspace: folders[1] }]);
    expect(await client.toolNames()).toContain(EDIT);
  });
});

const rpcWindow = (folder: string, isNamed: boolean, ...args: string[]) =>
  window(folder, 'ggmcp-rpc', ...(isNamed ? [] : ['--hides-paths']), ...args);

describe.each([
  ['its errors name', true],
  ['it only lists', false],
])('a window of the newer dialect, whose folder %s', (_how, isNamed) => {
  test('gets no call of a client that works elsewhere, though it is the only one', async () => {
    const [folder, elsewhere] = [project('one'), project('other')];
    writeFileSync(path.join(elsewhere, 'b.txt'), 'of other');
    const client = await connect([await rpcWindow(folder, isNamed)]);
    const result = await edit(client, elsewhere, 'lost');
    expect(result._meta['viaduct/gateway']).toMatchObject({ reason: 'not_connected', effect: 'none' });
    expect(result.content[0].text).toContain(isNamed ? folder : 'does not say its folder, which has a.txt');
    expect([folder, elsewhere].map(contentOf)).toEqual(['of one', 'of other']);
    expect((await edit(client, folder, 'found')).isError).toBe(false);
    expect(contentOf(folder)).toBe('found');
  });

  test('gets those of clients in folders below', async () => {
    const folder = project('one');
    const below = path.join(folder, 'src', 'deep');
    mkdirSync(below, { recursive: true });
    const client = await connect([await rpcWindow(folder, isNamed)]);
    expect((await edit(client, below, 'from below')).isError).toBe(false);
    expect(contentOf(folder)).toBe('from below');
  });

  test('is told from others', async () => {
    const folders = [project('left'), project('right')];
    for (const folder of folders) writeFileSync(path.join(folder, `${path.basename(folder)}.txt`), '');
    const client = await connect(await Promise.all(folders.map((folder) => rpcWindow(folder, isNamed))));
    for (const folder of folders) await edit(client, folder, `edited ${path.basename(folder)}`);
    expect(folders.map(contentOf)).toEqual(['edited left', 'edited right']);
  });

  test('goes on to be known while its files change', async () => {
    const folder = project('one');
    const client = await connect([await rpcWindow(folder, isNamed)]);
    for (const name of ['x', 'y', 'z']) {
      expect((await edit(client, folder, name)).isError).toBe(false);
      writeFileSync(path.join(folder, `${name}.txt`), name);
    }
    expect(contentOf(folder)).toBe('z');
  });
});

describe('windows of the newer dialect', () => {
  test('that list the same and name no path get nothing, and the status says what to do', async () => {
    const folders = [project('left'), project('right')];
    const client = await connect(await Promise.all(folders.map((folder) => rpcWindow(folder, false))));
    const result = await edit(client, folders[0]!, 'lost');
    expect(result.content[0].text).toContain('several windows fit the folder');
    expect(folders.map(contentOf)).toEqual(['of left', 'of right']);
    const status = await statusOf(client);
    expect(status.windows).toMatchObject([
      { workspace: null, dialect: 'json-rpc', plugin: 'ggmcp-vscode 1.1.2', state: 'ready' },
      { workspace: null },
    ]);
    expect(status.whatToDo).toContain('workflows.vscode-ide.url');
  });

  test('without a folder get nothing', async () => {
    const client = await connect([await startProgram('ggmcp-rpc', [])]);
    const result = await edit(client, project('one'), 'lost');
    expect(result.content[0].text).toContain('does not say its folder)');
  });
});

test.skipIf(process.platform === 'win32')('a window that is busy may take as long as a call', async () => {
  const folder = project('one');
  const busy = await window(folder);
  const client = await connect([busy], { callMs: 1_000 });
  expect((await edit(client, folder, 'before')).isError).toBeUndefined();
  busy.child.kill('SIGSTOP');
  try {
    const result = await edit(client, folder, 'lost');
    expect(result.content[0].text).toContain('did not say within 1000 ms which folder it has open');
    expect(result._meta['viaduct/gateway']).toMatchObject({ reason: 'not_connected', effect: 'none' });
  } finally {
    busy.child.kill('SIGCONT');
  }
  await expect.poll(() => edit(client, folder, 'after')).not.toHaveProperty('isError');
});

describe('without a window', () => {
  test('only status and sync are there, and say what to do', async () => {
    const free = await window(project('gone'));
    await free.stop();
    const client = await connectStdio(configFor({ ports: free.port }));
    expect(await client.toolNames()).toEqual(STABLE);
    const status = await statusOf(client);
    expect(status).toMatchObject({ connected: false, pluginFound: false, windows: [], state: 'backoff' });
    expect(status.whatToDo).toContain('ggMCP4VSCode');
    const sync = await client.call('vscode_bridge_sync');
    expect(sync.isError).toBe(true);
    expect(sync.content[0].text).toContain('ggMCP4VSCode');
  });

  test('what else listens on a port is no window', async () => {
    const other = await startProgram('ide-bridge');
    const client = await connectStdio(configFor({ ports: other.port }));
    expect(await client.toolNames()).toEqual(STABLE);
    expect((await statusOf(client)).windows).toEqual([]);
  });

  test('disconnect takes the tools away until a sync', async () => {
    const folder = project('one');
    const client = await connect([await window(folder)]);
    expect((await client.call(DISCONNECT)).structuredContent).toEqual({
      disconnected: true,
      nextStep: 'To connect again: call vscode_bridge_sync',
    });
    expect(await client.toolNames()).toEqual(STABLE);
    const status = await statusOf(client);
    expect(status).toMatchObject({ state: 'stopped', connected: false });
    expect(status.whatToDo).toContain('vscode_bridge_sync connects it again');
    expect(await client.callText(EDIT, {})).toContain('call vscode_bridge_sync');
    expect((await client.call('vscode_bridge_sync')).structuredContent.total).toBe(41);
    expect((await edit(client, folder, 'again')).isError).toBeUndefined();
  });
});

describe('as an entry of the config', () => {
  test('the windows are found on ports; commands show them', async () => {
    const folder = project('one');
    const { port } = await window(folder);
    const config = writeConfig({ upstreams: { ide: { ports: `${port}-${port}`, workspace: folder } } });
    const env = freshHome();
    const tools = await viaduct(['tools', '--config', config], env);
    expect(tools.stdout).toContain('ide_get_file_text_by_path');
    const doctor = await viaduct(['doctor', '--config', config], env);
    expect(doctor.stdout).toMatch(/upstream ide.*ready, 41 tools/);
  });

  test('a plug-in of a JetBrains IDE is found below its own prefix', async () => {
    const { port } = await window(project('one'), 'ggmcp-rest', '--prefix=/api/mcp');
    const entry = { type: 'ide-rest', url: `http://127.0.0.1:${port}` };
    const client = await connectStdio(writeConfig({ upstreams: { idea: entry }, lists: { graceMs: 20_000 } }));
    expect(await client.toolNames()).toHaveLength(41);
    expect(await client.callText('idea_get_branch_info')).toBe('["main||0123abc"]');
  });
});
