import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { startProgram } from '../../support/fixture-programs.ts';
import {
  connectStdio,
  fakeXcode,
  fixture,
  freshHome,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';

const EXAMPLE = path.resolve('config.example.yaml');
const SHARED = path.resolve(process.env.VIADUCT_SHARED ?? '../shared', 'data');

/** The example with its presets switched on, as a user of all of these systems would write it. */
function withPresets(): string {
  const [before, rest] = readFileSync(EXAMPLE, 'utf8').split('  # Presets:') as [string, string];
  const [presets, after] = rest.split('  # All other keys of an entry') as [string, string];
  const lines = presets.split('\n').slice(1);
  const taken = lines.map((line) => (/^ {2}# ( {2}\w+:|[\w-]+:$)/.test(line) ? line.replace('# ', '') : line));
  return `${before}${taken.join('\n')}  # All other keys of an entry${after}`;
}

const PRESETS: Record<string, Record<string, unknown>> = parse(withPresets()).upstreams;

/** A client of a gateway with one preset, which leads to our stand-in instead of the real thing. */
async function connect(preset: string, place: object, env = freshHome()): Promise<RawClient> {
  const config = writeConfig({ upstreams: { [preset]: { ...PRESETS[preset], ...place } }, lists: { graceMs: 20_000 } });
  return connectStdio(config, { env });
}

/** Names in a capture of the real system, where captures are at hand. */
function captured(file: string, pick: (value: any) => { name: string }[]): string[] | undefined {
  const place = path.join(SHARED, file);
  return existsSync(place) ? pick(JSON.parse(readFileSync(place, 'utf8'))).map(({ name }) => name) : undefined;
}

/** What is listed is what the real system has, and so many. */
async function expectNames(client: RawClient, prefix: string, real: string[] | undefined, count: number) {
  const names = await client.toolNames();
  expect(names).toHaveLength(count);
  if (real !== undefined) expect([...names].sort()).toEqual(real.map((name) => `${prefix}_${name}`).sort());
}

test('the example is valid with all of its presets', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'viaduct.yaml');
  writeFileSync(file, withPresets());
  const { code, stdout, stderr } = await viaduct(['config', 'check', '--config', file]);
  expect(`${stdout}${stderr}`).not.toContain('error');
  expect(code).toBe(0);
  expect(Object.keys(PRESETS)).toEqual([
    'everything',
    'filesystem',
    'memory',
    'xcode',
    'ggmcp',
    'ggmcp-old',
    'ggmcp-new',
    'jetbrains',
    'ide-bridge',
    'go-ai',
    'go-ai-tcp',
    'codebase',
  ]);
});

test('Xcode: all tools, a call of each kind', async () => {
  const client = await connect('xcode', {}, freshHome({ PATH: fakeXcode().path }));
  await expectNames(
    client,
    'xcode',
    captured('xcode/xcode-tools-26.3.json', (tools) => tools),
    20,
  );
  expect(await client.callText('xcode_XcodeListWindows')).toContain('windowtab1');
  for (const tool of ['XcodeRead', 'BuildProject', 'RunAllTests', 'RenderPreview', 'XcodeListNavigatorIssues']) {
    expect(await client.callText(`xcode_${tool}`, { tabIdentifier: 'windowtab1' })).toContain('windowtab1');
  }
});

describe('VS Code', () => {
  const project = () => {
    const folder = path.join(temporaryFolder(), 'project');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a.txt'), 'text');
    return folder;
  };
  /** One of each group: editor, files, debugging, terminal, version control, actions, project, code. */
  const CALLS: [string, object][] = [
    ['open_file_in_editor', { pathInProject: 'a.txt' }],
    ['get_file_text_by_path', { pathInProject: 'a.txt' }],
    ['toggle_debugger_breakpoint', { pathInProject: 'a.txt', line: 1 }],
    ['run_command_on_background', { command: 'node -v' }],
    ['get_branch_info', {}],
    ['execute_action_by_id', { actionId: 'x' }],
    ['get_project_dependencies', {}],
    ['get_symbols_in_file', { pathInProject: 'a.txt' }],
  ];

  test.each([
    ['ggmcp', 'ggmcp-rest', 'v1_1_2_list_tools'],
    ['ggmcp', 'ggmcp-rpc', 'v1_3_0_tools'],
    ['ggmcp-old', 'ggmcp-rest', 'v1_1_2_list_tools'],
    ['ggmcp-old', 'ggmcp-rpc', 'v1_3_0_tools'],
    ['ggmcp-new', 'ggmcp-rpc', 'v1_3_0_tools'],
  ])('%s with %s: all tools, a call of each group', async (preset, program, list) => {
    const folder = project();
    const { port } = await startProgram(program, [`--workspace=${folder}`]);
    const place = preset === 'ggmcp' ? { ports: port, workspace: undefined } : { url: `http://127.0.0.1:${port}/mcp` };
    const client = await connect(preset, place);
    await expectNames(
      client,
      preset,
      captured('lists/ggmcp-tools.json', (lists) => lists[list]),
      41,
    );
    for (const [name, args] of CALLS) {
      const params = { name: `${preset}_${name}`, arguments: args, _meta: { cwd: folder } };
      const { result } = (await client.request('tools/call', params)).value;
      expect(result.isError ?? false, name).toBe(false);
      expect(result.content[0].text).not.toBe('');
    }
  });
});

test('ide-bridge: all tools, each called', async () => {
  const { port } = await startProgram('ide-bridge');
  const client = await connect('ide-bridge', { url: `http://127.0.0.1:${port}/mcp` });
  await expectNames(client, 'ide-bridge', undefined, 6);
  const call = async (name: string, args: object) => JSON.parse(await client.callText(`ide-bridge_${name}`, args));
  const project = { project_id: 'acme' };
  expect(await call('save_checkpoint', { ...project, source_ide: 'x', bundle_patch: {} })).toMatchObject({
    saved: true,
  });
  expect(await call('append_decision', { ...project, text: 'use it' })).toEqual({ decision_id: 'd_1' });
  expect(await call('append_todo', { ...project, text: 'do it' })).toEqual({ todo_id: 't_1' });
  expect((await call('load_checkpoint', project)).bundle.todos).toHaveLength(1);
  expect(await call('list_projects', {})).toEqual({ projects: ['acme'] });
  expect((await call('get_project_id', { cwd: '/x' })).project_id).toMatch(/^path-/);
  const refused = await client.call('ide-bridge_load_checkpoint', {});
  expect(refused.error).toMatchObject({ code: -32602 });
});

describe('go-ai', () => {
  /** One of each group: files, folders, languages, RAG, models, metrics, processes, WebSocket, browser, IDE. */
  const CALLS: [string, object][] = [
    ['file_write', { path: 'made.txt', content: 'made' }],
    ['file_read', { path: 'made.txt' }],
    ['dir_list', { path: '.' }],
    ['lang_list', {}],
    ['rag_query', { question: 'what' }],
    ['ml_backends', {}],
    ['metrics_query', {}],
    ['process_start', { command: 'true', args: null }],
    ['ws_info', {}],
    ['webview_console', {}],
    ['ide_dashboard_overview', {}],
  ];

  test.each([
    ['go-ai', async (cwd: string) => ({ ...fixture('go-ai'), cwd })],
    [
      'go-ai-tcp',
      async () => {
        const { port } = await startProgram('go-ai', [], { MCP_ADDR: '127.0.0.1:0' });
        return { url: `tcp://127.0.0.1:${port}` };
      },
    ],
  ])('%s: all tools, a call of each group, failures as the errors that they are', async (preset, placeIn) => {
    const client = await connect(preset, await placeIn(temporaryFolder()));
    await expectNames(
      client,
      preset,
      captured('lists/go-ai-tools.json', ({ tools }) => tools),
      49,
    );
    const calls = preset === 'go-ai' ? CALLS : CALLS.slice(2);
    for (const [name, args] of calls) {
      const result = await client.call(`${preset}_${name}`, args);
      expect(JSON.parse(result.content[0].text), name).toEqual(result.structuredContent);
    }
    const { error } = await client.call(`${preset}_webview_query`, { selector: 'a' });
    expect(error).toEqual({ code: -32000, message: 'webview is not connected' });
  });
});

test.each([
  ['codebase', async () => ({ ...fixture('codebase'), cwd: '.' })],
  // As the documents of the seed have it, though no version of the server had it.
  [
    'codebase-sse',
    async () => ({ type: 'sse', url: `http://127.0.0.1:${(await startProgram('codebase', ['--sse'])).port}/sse` }),
  ],
])('%s: all tools, a call of each group, results as Python prints them', async (preset, placeIn) => {
  const client = await connect(preset, await placeIn());
  await expectNames(
    client,
    preset,
    captured('lists/codebase-tools.json', (lists) => lists.C_fastmcp_six),
    6,
  );
  const call = (name: string, args: object) => client.callText(`${preset}_${name}`, args);
  expect(await call('search_code', { query: 'x', repository_id: null })).toContain("'results': []");
  expect(await call('index_repository', { repo_path: '/x' })).toContain("'status': 'success'");
  const made = await call('create_task', { title: "it's", notes: null });
  expect(made).toContain(`'title': "it's", 'notes': None`);
  const id = /'id': '([^']+)'/.exec(made)![1];
  expect(await call('update_task', { task_id: id, status: 'in-progress' })).toContain("'in-progress'");
  expect(await call('get_task', { task_id: id })).toContain("'in-progress'");
  expect(await call('list_tasks', {})).toContain("'total_count': 1");
});
