import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { certificateOf } from '../support/auth/certificates.ts';
import { fakeXcode, fixture, freshHome, openStdio, startServe, temporaryFolder, viaduct } from '../support/gateway.ts';

const EXAMPLES = ['from-ide-bridge', 'review', 'team-gateway', 'workspace', 'xcode'];
/** What the examples run with npx, as this repository has it. */
const installed = (name: string) => path.resolve('node_modules/.bin', name);

/** A copy of an example in a folder of its own, with the files and variables that its page asks for. */
function copyOf(name: string): {
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly certificate: string;
} {
  const folder = temporaryFolder();
  cpSync(path.join('examples', name), folder, { recursive: true });
  const project = path.join(folder, 'project');
  mkdirSync(path.join(project, 'docs'), { recursive: true });
  mkdirSync(path.join(folder, 'tls'));
  const { cert, key } = certificateOf('mcp.example.com', { hosts: ['127.0.0.1'] });
  writeFileSync(path.join(folder, 'tls/cert.pem'), cert);
  writeFileSync(path.join(folder, 'tls/key.pem'), key);
  const env = freshHome({ PROJECT: project, TEAM_DOCS: path.join(project, 'docs'), ISSUES_TOKEN: 'issues-token' });
  return { config: path.join(folder, 'viaduct.yaml'), env, certificate: cert };
}

/** Changes what is different on this machine, and nothing else. */
function edit(config: string, change: (document: Document) => void): void {
  const document = parseDocument(readFileSync(config, 'utf8'));
  change(document);
  // The first list waits for all servers, however slow the machine is.
  document.setIn(['lists', 'graceMs'], 60_000);
  writeFileSync(config, document.toString());
}

/** Runs an upstream with the package of this repository in place of npx, with the arguments behind the package's name. */
function withoutNpx(document: Document, upstream: string, program: string): void {
  const { args } = (document.toJS() as any).upstreams[upstream] as { args: string[] };
  document.setIn(['upstreams', upstream, 'command'], installed(program));
  document.setIn(['upstreams', upstream, 'args'], args.slice(2));
}

/** The tools that an example's page lists under a heading. */
function toolsOnPage(name: string, heading = 'Tools'): readonly string[] {
  const page = readFileSync(path.join('examples', name, 'README.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
  const items = section.split('\n').filter((line) => line.startsWith('- '));
  return items.flatMap((item) => [...item.split(':')[0]!.matchAll(/`([\w*]+)`/g)].map(([, tool]) => tool!));
}

function expectTools(names: readonly string[], page: readonly string[]): void {
  expect(page.length).toBeGreaterThan(3);
  const isThere = (tool: string) =>
    names.some((name) => (tool.endsWith('*') ? name.startsWith(tool.slice(0, -1)) : name === tool));
  expect(page.filter((tool) => !isThere(tool))).toEqual([]);
}

async function toolsOf(config: string, env: NodeJS.ProcessEnv, profile?: string): Promise<readonly string[]> {
  const client = await openStdio(config, env, profile);
  await client.initialize();
  return client.toolNames();
}

test('the README and the page of the examples name each of them', () => {
  const folders = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(EXAMPLES);
  const pages = ['README.md', 'examples/README.md'].map((file) => readFileSync(file, 'utf8'));
  for (const name of EXAMPLES) {
    expect(pages[0]).toContain(`(examples/${name})`);
    expect(pages[1]).toContain(`(${name})`);
  }
});

test.each(EXAMPLES)('%s is valid as it is', async (name) => {
  const { config, env } = copyOf(name);
  expect(await viaduct(['config', 'check', '--config', config], env)).toMatchObject({ code: 0, stderr: '' });
});

test('xcode shows the tools of its page, and its profile those that only look', async () => {
  const { config, env } = copyOf('xcode');
  edit(config, () => undefined);
  const onMac = { ...env, PATH: fakeXcode().path };
  expectTools(await toolsOf(config, onMac), toolsOnPage('xcode'));
  const seen = await toolsOf(config, onMac, 'look');
  expect(seen).toEqual(expect.arrayContaining(['xcode_tools_XcodeListWindows', 'viaduct_status']));
  expect(seen.filter((tool) => /Write|RM|MV|Snippet|checkpoint/.test(tool))).toEqual([]);
});

/** Sends one request over HTTPS. */
function post(url: string, certificate: string, token?: string): Promise<{ status: number; body: any }> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', ca: certificate, headers, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += (chunk as Buffer).toString();
      resolve({ status: answer.statusCode!, body: text === '' ? undefined : JSON.parse(text) });
    });
    outgoing.on('error', reject);
    outgoing.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  });
}

test('team-gateway serves HTTPS, to those who have a token, what their token allows', async () => {
  const { config, env, certificate } = copyOf('team-gateway');
  edit(config, (document) => {
    document.setIn(['server', 'host'], '127.0.0.1');
    withoutNpx(document, 'docs', 'mcp-server-filesystem');
    document.setIn(['upstreams', 'issues'], { ...fixture('hostile'), pins: 'enforce' });
  });
  const create = async (...words: string[]) =>
    (await viaduct(['token', 'create', ...words, '--write', '--config', config], env)).stdout.trim();
  const ada = await create('ada', '--expires', '90d');
  const ci = await create('ci', '--upstreams', 'issues', '--workflows', 'gateway');

  const { url } = await startServe(config, env);
  expect(url).toMatch(/^https:/);
  expect((await post(url, certificate)).status).toBe(401);
  const toolsFor = async (token: string) =>
    (await post(url, certificate, token)).body.result.tools.map((tool: { name: string }) => tool.name) as string[];
  const all = await toolsFor(ada);
  expectTools(all, toolsOnPage('team-gateway'));
  expect(all).not.toContain('docs_write_file');
  const some = await toolsFor(ci);
  expect(some.filter((tool) => !tool.startsWith('issues_')).sort()).toEqual(['viaduct_status', 'viaduct_why']);
});

test('workspace shows the tools of its page', async () => {
  const { config, env } = copyOf('workspace');
  edit(config, (document) => withoutNpx(document, 'memory', 'mcp-server-memory'));
  const tools = await toolsOf(config, env);
  expectTools(tools, toolsOnPage('workspace'));
  expect(tools.length).toBeGreaterThan(60);
});

test('review: the one sees everything, the reviewer what only reads', async () => {
  const { config, env } = copyOf('review');
  edit(config, (document) => withoutNpx(document, 'docs', 'mcp-server-filesystem'));
  const hidden = toolsOnPage('review', 'Tools that the reviewer does not get');
  expectTools(await toolsOf(config, env), [...toolsOnPage('review'), ...hidden]);
  const seen = await toolsOf(config, env, 'review');
  expectTools(seen, toolsOnPage('review'));
  expect(seen.filter((tool) => hidden.includes(tool) || /write|edit|delete|create|move|update/.test(tool))).toEqual([]);
});

test('from-ide-bridge takes over what ide-bridge has, and has its tools', async () => {
  const { config, env } = copyOf('from-ide-bridge');
  edit(config, () => undefined);
  const old = temporaryFolder();
  mkdirSync(path.join(old, 'projects/acme'), { recursive: true });
  const todos = [{ id: 't_1', text: 'move over', status: 'pending' }];
  const bundle = { pcb_version: '0.1', bundle_id: '1', project: { id: 'acme', resolved_from: 'explicit' }, todos };
  writeFileSync(path.join(old, 'projects/acme/bundle.json'), JSON.stringify(bundle));
  const both = { ...env, IDE_BRIDGE_HOME: old };
  expect(await viaduct(['checkpoint', 'import', '--config', config], both)).toMatchObject({ code: 0 });
  const client = await openStdio(config, both);
  await client.initialize();
  expectTools(await client.toolNames(), toolsOnPage('from-ide-bridge'));
  expect(await client.callText('load_checkpoint', { project_id: 'acme' })).toContain('move over');
});
