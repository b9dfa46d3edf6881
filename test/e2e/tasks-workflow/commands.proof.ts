import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BIN, freshHome, startServe, viaduct, writeConfig } from '../../support/gateway.ts';
import { git, newRepository } from '../../support/git-repository.ts';
import { UNKNOWN_ID } from './setup.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `viaduct tasks …` in a folder. */
function tasksIn(folder: string, config: string, env: NodeJS.ProcessEnv) {
  const run = (...words: string[]) =>
    new Promise<Ran>((resolve) => {
      const args = [BIN, 'tasks', ...words, '--config', config];
      execFile(process.execPath, args, { env, cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);
  return { run, json };
}

describe('viaduct tasks', () => {
  function scene(options: object = { enabledWorkflows: ['tasks'] }) {
    const folder = newRepository();
    return { folder, ...tasksIn(folder, writeConfig(options), freshHome()) };
  }

  test('creates, updates and shows a task', async () => {
    const { folder, run, json } = scene();
    const texts = ['--description', 'more', '--notes', 'remark', '--reference', 'docs/a.md', 'docs/b.md'];
    const made = await json('create', 'write\u001b[31m it', ...texts);
    expect(made).toMatchObject({
      description: 'more',
      notes: 'remark',
      planning_references: ['docs/a.md', 'docs/b.md'],
    });
    const change = [
      '--status',
      'in-progress',
      '--branch',
      'HEAD',
      '--commit',
      'HEAD',
      '--clear',
      'notes',
      'references',
    ];
    const commit = git(folder, 'rev-parse', 'HEAD');
    expect(await json('update', made.id, '--title', 'written', ...change)).toMatchObject({
      title: 'written',
      description: 'more',
      notes: null,
      planning_references: [],
      status: 'in-progress',
      branch: 'main',
      commit,
    });
    const { stdout: shown } = await run('show', made.id);
    expect(shown).toMatch(/^written\n/);
    expect(shown).toContain(commit);
    expect(shown).toContain('\nDescription\nmore\n');
  });

  test('lists those of a project, or of all', async () => {
    const { run, json } = scene();
    expect((await run('list')).stdout).toBe('No tasks were found.\n');
    const here = await json('create', 'here\u001b[31m');
    const { id } = await json('create', 'elsewhere', '--project', 'other');
    expect((await run('list', '--status', 'need to be done')).stdout).toBe(`${here.id}  need to be done  here\n`);
    expect(await json('list', '--project', 'other', '--branch', 'HEAD')).toEqual({ tasks: [], total_count: 0 });
    expect(await json('list', '--all', '--limit', '1')).toMatchObject({ tasks: [{ id }], total_count: 2 });
    const { stdout } = await run('list', '--all', '--limit', '1');
    expect(stdout).toBe(`${id}  need to be done  other  elsewhere\n1 more; --limit shows up to 100\n`);
  });

  test('says what is wrong', async () => {
    const { run } = scene();
    expect(await run('show', UNKNOWN_ID)).toMatchObject({ code: 1, stderr: expect.stringContaining('Task not found') });
    expect(await run('show', '5')).toMatchObject({ code: 1, stderr: expect.stringContaining('must be a uuid') });
    expect(await run('create', ' ')).toMatchObject({ code: 1, stderr: expect.stringContaining('must not be blank') });
    expect(await run('list', '--limit', '101')).toMatchObject({ code: 2, stderr: expect.stringContaining('1 to 100') });
    expect(await run('list', '--status', 'done')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('complete'),
    });
    expect(await scene({}).run('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('"tasks" is off') });
  });

  test('uses the gateway that runs, which notes what was changed', async () => {
    const folder = newRepository();
    const config = writeConfig({ enabledWorkflows: ['tasks'] });
    const { env } = await startServe(config);
    const { json } = tasksIn(folder, config, env);
    const { id } = await json('create', 'by the one that runs');
    const good = readFileSync(config, 'utf8');
    // With this nothing but a gateway that runs can be used.
    writeFileSync(config, '{ no config');
    expect(await json('list')).toMatchObject({ tasks: [{ id }] });
    expect(await json('update', id, '--status', 'complete')).toMatchObject({ status: 'complete' });
    writeFileSync(config, good);
    const noted = async () => {
      const { stdout } = await viaduct(['audit', '--config', config, '--json'], env);
      const entries = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
      return new Set(entries.filter(({ level }) => level === 'security').map(({ tool }) => tool));
    };
    // Calls are noted a moment after they were answered.
    await expect.poll(noted, { timeout: 60_000 }).toEqual(new Set(['create_task', 'update_task']));
  });
});
