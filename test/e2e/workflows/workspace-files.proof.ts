import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BIN, freshHome, startServe, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';
import { endChild } from '../../support/processes.ts';

type Environment = Record<string, string>;

interface Place {
  readonly config: string;
  readonly env: Environment;
  readonly root: string;
}

/** A gateway's config whose clients work in a folder with some files. */
function newPlace(workspace?: object): Place {
  const root = realpathSync(temporaryFolder());
  writeFileSync(path.join(root, 'main.go'), 'package main\n\nfunc main() {}\n');
  mkdirSync(path.join(root, 'docs'));
  writeFileSync(path.join(root, 'docs/index.md'), '# Docs\n');
  const config = writeConfig({ enabledWorkflows: ['files'], ...(workspace && { workspace }) });
  return { config, env: freshHome() as Environment, root };
}

async function connect({ config, env, root }: Place) {
  const client = new Client({ name: 'seed-client', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'stdio', '--config', config], env, cwd: root }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, args: object): Promise<any> => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [block] = result.content as { text: string }[];
    if (result.isError === true) return { error: block!.text };
    expect(JSON.parse(block!.text)).toEqual(result.structuredContent);
    return result.structuredContent;
  };
  return { client, call };
}

describe('what the seed says of the file tools', () => {
  test('each call does what its text says', async () => {
    const place = newPlace();
    const { client, call } = await connect(place);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'dir_create',
      'dir_list',
      'file_delete',
      'file_edit',
      'file_exists',
      'file_read',
      'file_rename',
      'file_write',
      'workspace_undo',
    ]);
    for (const [name, args, expected] of CALLS) {
      expect([name, args, await call(name, args)]).toEqual([name, args, expected]);
    }
    expect(readFileSync(path.join(place.root, 'moved.txt'), 'utf8')).toBe('one 2 2');
  });

  test('a file is brought back by the tool, and by the command', async () => {
    const place = newPlace();
    const { call } = await connect(place);
    const file = path.join(place.root, 'main.go');
    const before = readFileSync(file, 'utf8');
    await call('file_write', { path: 'main.go', content: 'gone' });
    expect(await call('workspace_undo', {})).toMatchObject({
      restored: [{ tool: 'file_write', paths: [file] }],
      skipped: [],
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    await call('file_write', { path: 'new/deep/a.txt', content: 'a' });
    await call('file_delete', { path: 'main.go' });
    const listed = await viaduct(['undo', '--list', '--json', '--config', place.config], place.env);
    const changes = JSON.parse(listed.stdout) as { id: number; tool: string; session: string; state: string }[];
    expect(changes.map(({ tool, state }) => [tool, state])).toEqual([
      ['file_delete', 'done'],
      ['file_write', 'done'],
      ['undo', 'done'],
      ['file_write', 'undone'],
    ]);
    const undone = await viaduct(['undo', '--session', changes[0]!.session, '--config', place.config], place.env);
    expect(undone).toMatchObject({ code: 0, stderr: '' });
    expect(undone.stdout).toContain('main.go');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await call('dir_list', { path: '.' })).toMatchObject({
      entries: [
        { name: 'docs', isDir: true },
        { name: 'main.go', isDir: false },
      ],
    });
  });

  test('the command does not undo what was changed since, unless it is forced', async () => {
    const place = newPlace();
    const { call } = await connect(place);
    const file = path.join(place.root, 'main.go');
    await call('file_write', { path: 'main.go', content: 'by a tool' });
    writeFileSync(file, 'by hand');
    const refused = await viaduct(['undo', '--config', place.config], place.env);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain('changed since');
    expect(readFileSync(file, 'utf8')).toBe('by hand');
    const forced = await viaduct(['undo', '--force', '--config', place.config], place.env);
    expect(forced.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('package main');
  });
});

test('what leads out of the workspace is refused with the reason', async () => {
  const place = newPlace();
  symlinkSync('/etc', path.join(place.root, 'etc'));
  const { call } = await connect(place);
  for (const bad of ['../x', '/etc/passwd', 'etc/passwd', 'docs/../../x', 'a\0b', '']) {
    expect((await call('file_read', { path: bad })).error).toMatch(/is refused: /);
    expect((await call('file_write', { path: bad, content: 'x' })).error).toMatch(/is refused: /);
  }
});

test('the folders of the config are the workspace of everybody', async () => {
  const other = realpathSync(temporaryFolder());
  const place = newPlace({ roots: { app: other, docs: realpathSync(temporaryFolder()) } });
  const { call } = await connect(place);
  expect(await call('dir_list', { path: '.' })).toMatchObject({ entries: [{ name: 'app' }, { name: 'docs' }] });
  await call('file_write', { path: 'app/x/y.txt', content: 'y' });
  expect(readFileSync(path.join(other, 'x/y.txt'), 'utf8')).toBe('y');
  expect((await call('file_write', { path: 'y.txt', content: 'y' })).error).toContain('app, docs');
});

const done = (path: string) => ({ success: true, path });

test('several gateways may edit one file at the same time: no edit is lost', async () => {
  const place = newPlace();
  const inner = writeConfig({ enabledWorkflows: ['files'], workspace: { root: path.join(place.root, 'docs') } });
  const gateways = await Promise.all([connect(place), connect(place), connect({ ...place, config: inner })]);
  const edits = gateways.map(async ({ call }, who) => {
    for (let edit = 0; edit < 20; edit++) {
      const file = who === 2 ? 'index.md' : 'docs/index.md';
      const done = await call('file_edit', {
        path: file,
        old_string: '# Docs\n',
        new_string: `# Docs\n${who} ${edit}\n`,
      });
      expect(done).toMatchObject({ success: true });
    }
  });
  await Promise.all(edits);
  const lines = readFileSync(path.join(place.root, 'docs/index.md'), 'utf8').trim().split('\n').slice(1);
  expect(new Set(lines).size).toBe(60);
});

/** Tool, arguments, what is answered; in this order. */
const CALLS: readonly (readonly [string, object, unknown])[] = [
  [
    'file_read',
    { path: 'main.go' },
    {
      content: 'package main\n\nfunc main() {}\n',
      language: 'go',
      path: 'main.go',
      encoding: 'utf-8',
      mimeType: 'text/plain',
      size: 29,
    },
  ],
  ['file_read', { path: 'docs/index.md' }, expect.objectContaining({ content: '# Docs\n', language: 'markdown' })],
  ['file_read', { path: 'nothing.txt' }, { error: expect.stringContaining('there is no such file') }],
  ['file_read', { path: 'docs' }, { error: expect.stringContaining('it is a folder') }],
  ['file_write', { path: 'a/b/c.unknown', content: 'one two two' }, done('a/b/c.unknown')],
  ['file_read', { path: 'a/b/c.unknown' }, expect.objectContaining({ language: 'plaintext', content: 'one two two' })],
  ['file_write', { path: 'main.go', content: 'package other\n' }, done('main.go')],
  ['file_exists', { path: 'a/b' }, { exists: true, isDir: true, path: 'a/b' }],
  ['file_exists', { path: 'main.go' }, { exists: true, isDir: false, path: 'main.go' }],
  ['file_exists', { path: 'nothing' }, { exists: false, isDir: false, path: 'nothing' }],
  [
    'file_edit',
    { path: 'a/b/c.unknown', old_string: 'two', new_string: '2' },
    { path: 'a/b/c.unknown', success: true, replacements: 1 },
  ],
  [
    'file_edit',
    { path: 'a/b/c.unknown', old_string: 'two', new_string: '2', replace_all: true },
    { path: 'a/b/c.unknown', success: true, replacements: 1 },
  ],
  [
    'file_edit',
    { path: 'main.go', old_string: 'a', new_string: 'A', replace_all: true },
    { path: 'main.go', success: true, replacements: 2 },
  ],
  [
    'file_edit',
    { path: 'main.go', old_string: '', new_string: 'x' },
    { error: expect.stringContaining('must not be empty') },
  ],
  [
    'file_edit',
    { path: 'main.go', old_string: 'absent', new_string: 'x' },
    { error: expect.stringContaining('not in it') },
  ],
  [
    'file_edit',
    { path: 'nothing', old_string: 'x', new_string: 'y' },
    { error: expect.stringContaining('no such file') },
  ],
  [
    'file_edit',
    { path: 'moved.txt', old_string: 'x', new_string: 'a\ud800' },
    { error: expect.stringContaining('new_string contains half a character') },
  ],
  [
    'file_write',
    { path: 'half.txt', content: '\udc00' },
    { error: expect.stringContaining('content contains half a character') },
  ],
  ['file_exists', { path: 'half.txt' }, { exists: false, isDir: false, path: 'half.txt' }],
  ['file_delete', { path: 'a' }, { error: expect.stringContaining('not empty') }],
  [
    'file_rename',
    { oldPath: 'a', newPath: 'a/b/a' },
    { error: expect.stringContaining('cannot be moved into itself') },
  ],
  [
    'file_rename',
    { oldPath: 'a/b/c.unknown', newPath: 'moved.txt' },
    { success: true, oldPath: 'a/b/c.unknown', newPath: 'moved.txt' },
  ],
  ['file_write', { path: 'mark.txt', content: '\ufeffx', encoding: 'utf-8-bom' }, done('mark.txt')],
  ['file_read', { path: 'mark.txt' }, expect.objectContaining({ content: 'x', encoding: 'utf-8-bom', size: 4 })],
  ['file_write', { path: 'mark.txt', content: 'one mark' }, done('mark.txt')],
  [
    'file_read',
    { path: 'mark.txt' },
    expect.objectContaining({ content: 'one mark', encoding: 'utf-8-bom', size: 11 }),
  ],
  [
    'file_rename',
    { oldPath: 'docs', newPath: 'mark.txt' },
    { error: expect.stringContaining('"mark.txt": there is a file of this name') },
  ],
  ['file_delete', { path: 'mark.txt' }, done('mark.txt')],
  ['file_delete', { path: 'a/b' }, done('a/b')],
  ['file_delete', { path: 'main.go' }, done('main.go')],
  ['file_delete', { path: 'main.go' }, { error: expect.stringContaining('no such file') }],
  ['dir_create', { path: 'x/y/z' }, done('x/y/z')],
  ['dir_create', { path: 'x/y/z' }, done('x/y/z')],
  ['dir_list', { path: 'x/y' }, { entries: [{ name: 'z', path: 'x/y/z', isDir: true, size: 0 }], path: 'x/y' }],
  [
    'dir_list',
    { path: 'docs' },
    { entries: [{ name: 'index.md', path: 'docs/index.md', isDir: false, size: 7 }], path: 'docs' },
  ],
  ['dir_list', { path: 'x/y/z' }, { entries: [], path: 'x/y/z' }],
  ['dir_list', { path: 'moved.txt' }, { error: expect.stringContaining('not a folder') }],
];

test('clients without sessions undo what they did under their name since the gateway started', async () => {
  const place = newPlace({ root: realpathSync(temporaryFolder()) });
  const serve = async (name: string) => {
    const serving = await startServe(place.config, place.env);
    const client = new ModernHttpClient(serving.url, { name });
    await client.post('tools/list');
    return { ...serving, client };
  };
  const structured = async (client: ModernHttpClient, name: string, args: object) =>
    (await client.call(name, args)).json.result.structuredContent;
  const first = await serve('one');
  await structured(first.client, 'file_write', { path: 'a', content: 'yesterday' });
  await endChild(first.child);
  const { client, url } = await serve('one');
  await structured(client, 'file_write', { path: 'a', content: 'today' });
  await structured(client, 'file_write', { path: 'b', content: 'today' });
  const other = new ModernHttpClient(url, { name: 'other' });
  const all = { scope: 'session' };
  expect(await structured(other, 'workspace_undo', all)).toEqual({ restored: [], skipped: [] });
  expect((await structured(client, 'workspace_undo', all)).restored).toHaveLength(2);
  expect(await structured(client, 'file_read', { path: 'a' })).toMatchObject({ content: 'yesterday' });
});
