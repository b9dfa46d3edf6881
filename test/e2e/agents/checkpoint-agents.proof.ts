import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadSqlite } from '../../../src/store/database/sqlite/sqlite-module.ts';
import { trustConfig } from '../../support/auth/trusted.ts';
import {
  BIN,
  type CommandResult,
  connectStdio,
  fixture,
  linesOf,
  openServe,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';

const CHECKPOINTS = { enabledWorkflows: ['checkpoint'] };

interface Place {
  /** The project's folder. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A project and a user who has nothing yet. */
function freshPlace(): Place {
  const home = temporaryFolder();
  const { CLAUDE_PROJECT_DIR: _project, CLAUDE_CONFIG_DIR: _claude, XDG_CONFIG_HOME: _xdg, ...rest } = process.env;
  return { folder: temporaryFolder(), env: { ...rest, HOME: home, VIADUCT_HOME: path.join(home, '.viaduct') } };
}

async function runHook(
  does: 'load' | 'save',
  input: unknown,
  { env, folder, config }: Place & { readonly config?: string },
): Promise<CommandResult> {
  const words = ['checkpoint', 'hook', does, ...(config === undefined ? [] : ['--config', config])];
  const child = spawn(process.execPath, [BIN, ...words], { env, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

function writeTranscript(folder: string, lines: readonly object[]): string {
  const file = path.join(folder, 'session.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const said = (role: 'user' | 'assistant', content: string) => ({ type: role, message: { role, content } });

async function load(place: Place, config: string): Promise<Record<string, any>> {
  const client = await connectStdio(config, { env: place.env });
  const found = await client.call('get_project_id', { cwd: place.folder });
  const { project_id } = found.structuredContent;
  const loaded = await client.call('load_checkpoint', { project_id, fidelity: 'L3' });
  return loaded.structuredContent.bundle;
}

describe('viaduct checkpoint prime', () => {
  test('writes what the agent needs, says the same a second time, and takes it out again', async () => {
    const { folder, env } = freshPlace();
    await trustConfig(writeConfig(CHECKPOINTS, folder), env);
    writeFileSync(path.join(folder, 'CLAUDE.md'), '# Mine\n');
    const first = await viaduct(['checkpoint', 'prime', 'claude-code', '--hooks'], env, folder);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^CLAUDE\.md +instructions +written$/m);
    expect(first.stdout).toMatch(/^\.mcp\.json +server entry +written$/m);
    expect(first.stdout).toMatch(/^\.claude\/settings\.json +hooks +written$/m);
    const { command, args } = JSON.parse(readFileSync(path.join(folder, '.mcp.json'), 'utf8')).mcpServers.viaduct;
    expect([command, ...args]).toEqual([process.execPath, BIN, 'stdio']);
    const second = await viaduct(['checkpoint', 'prime', 'claude-code', '--hooks'], env, folder);
    expect(second.stdout).not.toContain('written');
    const removed = await viaduct(['checkpoint', 'prime', 'claude-code', '--remove'], env, folder);
    expect(removed.code).toBe(0);
    expect(readFileSync(path.join(folder, 'CLAUDE.md'), 'utf8')).toBe('# Mine\n');
    expect(readdirSync(folder).sort()).toEqual(['CLAUDE.md', 'viaduct.yaml']);
  });

  test('says what is still missing', async () => {
    const { folder, env } = freshPlace();
    const none = await viaduct(['checkpoint', 'prime', 'cursor'], env, folder);
    expect(none.stdout).toContain('there is no config yet');
    await trustConfig(writeConfig({}, folder), env);
    const off = await viaduct(['checkpoint', 'prime', 'cursor'], env, folder);
    expect(off.stdout).toContain('enabledWorkflows: [checkpoint]');
  });

  test('names the config that the agent would not find, and the url with the folder', async () => {
    const { folder, env } = freshPlace();
    const config = writeConfig({ ...CHECKPOINTS, server: { port: 4321 } });
    await viaduct(['checkpoint', 'prime', 'cursor', '--config', config], env, folder);
    const entry = () => JSON.parse(readFileSync(path.join(folder, '.cursor/mcp.json'), 'utf8')).mcpServers.viaduct;
    expect(entry().args.slice(1)).toEqual(['stdio', '--config', config]);
    const primed = await viaduct(['checkpoint', 'prime', 'cursor', '--http', '--config', config], env, folder);
    expect(primed.stdout + primed.stderr).toContain(`workspace: { clientFolders: [${JSON.stringify(folder)}] }`);
    expect(entry()).toEqual({ type: 'http', url: `http://127.0.0.1:4321/mcp?cwd=${encodeURIComponent(folder)}` });
  });

  test('with --home writes the files of the user, which nobody else can read', async () => {
    const { folder, env } = freshPlace();
    await trustConfig(writeConfig(CHECKPOINTS, folder), env);
    const { code } = await viaduct(['checkpoint', 'prime', 'claude-code', '--home'], env, folder);
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual(['viaduct.yaml']);
    const file = path.join(env.HOME!, '.claude.json');
    const { args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.viaduct;
    // Started elsewhere, the gateway would not find the config of this folder.
    expect(args.slice(1)).toEqual(['stdio', '--config', path.join(folder, 'viaduct.yaml')]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('leaves a file alone that it cannot edit, and writes the others', async () => {
    const { folder, env } = freshPlace();
    await trustConfig(writeConfig(CHECKPOINTS, folder), env);
    mkdirSync(path.join(folder, '.cursor'));
    writeFileSync(path.join(folder, '.cursor/mcp.json'), '{ not json');
    const { code, stdout } = await viaduct(['checkpoint', 'prime', 'cursor', '--json'], env, folder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).files.map((file: any) => [file.what, file.outcome, file.reason])).toEqual([
      ['instructions', 'written', undefined],
      ['server entry', 'left alone', 'it is not JSON (line 1, column 3: this cannot stand here)'],
    ]);
    expect(readFileSync(path.join(folder, '.cursor/mcp.json'), 'utf8')).toBe('{ not json');
  });

  test('knows the agents it knows', async () => {
    const { folder, env } = freshPlace();
    const { code, stderr } = await viaduct(['checkpoint', 'prime', 'emacs'], env, folder);
    expect(code).toBe(2);
    expect(stderr).toContain('claude-code, cursor, kiro');
  });
});

describe('the hooks of Claude Code', () => {
  test('save what was said, and brief the next session, without starting a server', async () => {
    const place = freshPlace();
    const started = path.join(temporaryFolder(), 'started.log');
    const server = fixture('hostile', `--log=${started}`);
    const config = writeConfig({ ...CHECKPOINTS, upstreams: { server } });
    const transcript = writeTranscript(place.folder, [
      said('user', 'Port the parser'),
      said('assistant', 'Half done.'),
    ]);
    const input = { cwd: place.folder, transcript_path: transcript, hook_event_name: 'Stop' };
    expect(await runHook('save', input, { ...place, config })).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await runHook('load', { cwd: place.folder }, { ...place, config });
    expect(code).toBe(0);
    expect(stdout).toContain('by claude-code');
    expect(stdout).toContain('Port the parser');
    expect(stdout).toContain('Half done.');
    expect(linesOf(started)).toEqual([]);
  });

  test('use the gateway that runs, and what it keeps back is there at the next load', async () => {
    const place = freshPlace();
    const config = writeConfig(CHECKPOINTS);
    await openServe(config, place.env);
    for (const words of ['first', 'second']) {
      const transcript = writeTranscript(place.folder, [said('user', words)]);
      const input = { cwd: place.folder, transcript_path: transcript, hook_event_name: 'Stop' };
      expect(await runHook('save', input, { ...place, config })).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect((await runHook('load', { cwd: place.folder }, { ...place, config })).stdout).toContain('second');
  });

  test('leave the summary that a model wrote', async () => {
    const place = freshPlace();
    const config = writeConfig(CHECKPOINTS);
    const client = await connectStdio(config, { env: place.env });
    const project = await client.call('get_project_id', { cwd: place.folder });
    const { project_id } = project.structuredContent;
    const patch = { conversation: { summary: 'The parser is ported but for comments.' } };
    await client.call('save_checkpoint', { project_id, source_ide: 'cursor', bundle_patch: patch });
    const transcript = writeTranscript(place.folder, [said('user', 'go on')]);
    const input = { cwd: place.folder, transcript_path: transcript, hook_event_name: 'PreCompact' };
    await runHook('save', input, { ...place, config });
    const { conversation, last_source_ide: ide } = await load(place, config);
    expect(ide).toBe('claude-code');
    expect(conversation.summary).toBe('The parser is ported but for comments.');
    expect(conversation.last_n_turns).toEqual([{ role: 'user', content: 'go on' }]);
  });

  test('say nothing where nothing was saved', async () => {
    const place = freshPlace();
    const config = writeConfig(CHECKPOINTS);
    expect(await runHook('load', { cwd: place.folder }, { ...place, config })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test.each([
    ['input that is no JSON', 'no json', CHECKPOINTS],
    ['a workflow that is off', {}, {}],
    ['a config that is wrong', {}, { nonsense: 1 }],
  ])('never keep Claude Code from going on: %s', async (_what, input, config) => {
    const { code, stdout, stderr } = await runHook('save', input, { ...freshPlace(), config: writeConfig(config) });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('the checkpoint hook failed');
  });
});

describe('viaduct checkpoint capture', () => {
  test('finds the newest session of Claude Code in the folder', async () => {
    const place = freshPlace();
    const config = writeConfig(CHECKPOINTS);
    const sessions = path.join(place.env.HOME!, '.claude/projects', place.folder.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(sessions, { recursive: true });
    writeTranscript(sessions, [said('user', 'Port the parser')]);
    writeFileSync(path.join(place.folder, 'AGENTS.md'), 'Use tabs.\n');
    const { code, stdout } = await viaduct(
      ['checkpoint', 'capture', 'claude-code', '--config', config],
      place.env,
      place.folder,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/: saved conversation, instructions$/m);
    const bundle = await load(place, config);
    expect(bundle.conversation.last_n_turns).toEqual([{ role: 'user', content: 'Port the parser' }]);
    expect(bundle.instructions).toMatchObject([{ id: 'file:AGENTS.md', content: 'Use tabs.' }]);
  });

  test("reads Cursor's database as Cursor has it, and leaves it as it is", async () => {
    const place = freshPlace();
    const config = writeConfig(CHECKPOINTS);
    await writeCursorState(place);
    const words = ['checkpoint', 'capture', 'cursor', '--json', '--config', config];
    const { code, stdout } = await viaduct(words, place.env, place.folder);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, saved: true, fields: ['conversation'] });
    expect((await load(place, config)).conversation).toMatchObject({
      fidelity: 'L2',
      last_n_turns: [
        { role: 'user', content: 'Add a test' },
        { role: 'assistant', content: 'Added.' },
      ],
    });
  });

  test('exits with 1 where there is nothing', async () => {
    const place = freshPlace();
    const words = ['checkpoint', 'capture', 'kiro', '--config', writeConfig(CHECKPOINTS)];
    const { code, stdout } = await viaduct(words, place.env, place.folder);
    expect(code).toBe(1);
    expect(stdout).toContain('nothing was saved (nothing found)');
  });
});

async function writeCursorState({ folder, env }: Place): Promise<void> {
  const programs = process.platform === 'darwin' ? 'Library/Application Support' : '.config';
  const user = path.join(env.HOME!, programs, 'Cursor/User');
  const workspace = path.join(user, 'workspaceStorage/abc');
  mkdirSync(workspace, { recursive: true });
  mkdirSync(path.join(user, 'globalStorage'));
  writeFileSync(path.join(workspace, 'workspace.json'), JSON.stringify({ folder: pathToFileURL(folder).href }));
  await writeKeys(path.join(workspace, 'state.vscdb'), 'ItemTable', {
    'composer.composerData': { allComposers: [{ composerId: 'c1', lastUpdatedAt: 5 }] },
  });
  await writeKeys(path.join(user, 'globalStorage/state.vscdb'), 'cursorDiskKV', {
    'composerData:c1': { fullConversationHeadersOnly: [{ bubbleId: 'b1' }, { bubbleId: 'b2' }] },
    'bubbleId:c1:b1': { type: 1, text: 'Add a test' },
    'bubbleId:c1:b2': { type: 2, text: 'Added.' },
  });
}

async function writeKeys(file: string, table: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
  for (const [key, value] of Object.entries(values)) insert.run(key, Buffer.from(JSON.stringify(value)));
  database.close();
}
