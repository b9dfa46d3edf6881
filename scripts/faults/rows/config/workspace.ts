import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tokenOf } from '../../../../test/support/auth/tokens.ts';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { type Scene, until } from '../../scene.ts';

const TOKEN = tokenOf('agent', { upstreams: [], workflows: ['files', 'process'] });

/** A gateway whose config and home are in the workspace, and an agent with a token for the tools of the workspace. */
async function newAgent(scene: Scene) {
  const config = scene.config({
    server: { tokens: [TOKEN.entry] },
    enabledWorkflows: ['files', 'process'],
    workspace: { root: scene.folder },
    workflows: { process: { allow: ['true'] } },
    upstreams: {},
  });
  const gateway = await scene.serve(config);
  const session = await HttpSession.open(gateway.url, {}, '2025-11-25', TOKEN.headers);
  const call = async (name: string, args: object) => {
    const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
    const { isError = false, content } = JSON.parse(body).result;
    return { isError: isError as boolean, text: content[0].text as string };
  };
  const refused = async (name: string, args: object, words: RegExp) => {
    const { isError, text } = await call(name, args);
    assert.ok(isError, `${name} ${JSON.stringify(args)} was done`);
    assert.match(text, words);
    assertThat('the answer tells nothing', !text.includes(KEPT));
  };
  return { config, gateway, call, refused };
}

function write(scene: Scene, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(scene.folder, name)), { recursive: true });
  writeFileSync(path.join(scene.folder, name), text);
}

const PROTECTED = /is protected: it/;
const KEPT = 'kept in the home of the gateway';

export const WORKSPACE_FAULTS: readonly Fault[] = [
  {
    id: 'W-config',
    what: 'an agent with a token for files writes a command into the config, edits it, and moves a file or folder in its place',
    holds: 'each is refused, no command runs, the config of its user is followed as before',
    quick: true,
    async run(scene) {
      const marker = path.join(scene.folder, 'ran');
      const { config, gateway, call, refused } = await newAgent(scene);
      const text = readFileSync(config, 'utf8');
      const evil = {
        command: process.execPath,
        args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
      };
      const content = text.replace('"upstreams":{}', `"upstreams":{"evil":${JSON.stringify(evil)}}`);
      await call('file_write', { path: 'draft', content });
      await refused('file_write', { path: 'viaduct.yaml', content }, PROTECTED);
      await refused('file_edit', { path: 'viaduct.yaml', old_string: text, new_string: content }, PROTECTED);
      await refused('file_rename', { oldPath: 'draft', newPath: 'viaduct.yaml' }, PROTECTED);
      await refused('file_rename', { oldPath: 'viaduct.yaml', newPath: 'gone.yaml' }, PROTECTED);
      await refused('file_delete', { path: 'viaduct.yaml' }, PROTECTED);
      await refused('file_write', { path: 'sub/viaduct.yaml', content }, PROTECTED);
      await refused('file_write', { path: '.viaduct/config.yaml', content }, PROTECTED);
      assert.equal(readFileSync(config, 'utf8'), text);
      // Had one of them been done, it would be read at the latest with this.
      writeFileSync(config, `${text}\n`);
      await until('the config was read again', () => gateway.stderr().includes('was read again'));
      assertThat('no command has run', !existsSync(marker));
    },
  },
  {
    id: 'W-home',
    what: 'an agent reads and changes $VIADUCT_HOME, by paths, symbolic links and a hard link',
    holds: 'each is refused, and no answer tells what is in it',
    quick: true,
    async run(scene) {
      write(scene, 'home/secret', KEPT);
      symlinkSync('home', path.join(scene.folder, 'link'));
      linkSync(path.join(scene.folder, 'home/secret'), path.join(scene.folder, 'hard'));
      const { refused } = await newAgent(scene);
      for (const at of ['home/secret', 'link/secret', 'hard', 'home/nothing', path.join(scene.folder, 'home/secret')]) {
        await refused('file_read', { path: at }, PROTECTED);
        await refused('file_write', { path: at, content: 'x' }, PROTECTED);
      }
      for (const at of ['home', 'link', 'home/audit']) {
        await refused('dir_list', { path: at }, PROTECTED);
        await refused('process_start', { command: 'true', dir: at }, PROTECTED);
      }
      await refused('file_rename', { oldPath: 'home', newPath: 'elsewhere' }, PROTECTED);
      assert.equal(readFileSync(path.join(scene.folder, 'home/secret'), 'utf8'), KEPT);
    },
  },
  {
    id: 'W-hooks',
    what: 'an agent writes hooks and settings of git, and files by which other agents run commands; an ordinary folder is to become a repository',
    holds: 'each is refused, and the next commit runs nothing',
    quick: true,
    async run(scene) {
      const marker = path.join(scene.folder, 'ran');
      const git = (...words: string[]) => execFileSync('git', words, { cwd: scene.folder, stdio: 'ignore' });
      git('init', '-q');
      git('config', 'core.hooksPath', 'tools/hooks');
      const { call, refused } = await newAgent(scene);
      const content = `#!/bin/sh\ntouch '${marker}'\n`;
      for (const at of ['.git/hooks/pre-commit', 'tools/hooks/pre-commit', '.git/config', '.husky/pre-commit'])
        await refused('file_write', { path: at, content }, PROTECTED);
      for (const at of [
        '.mcp.json',
        '.cursor/mcp.json',
        '.vscode/tasks.json',
        '.claude/settings.json',
        '.codex/config.toml',
      ])
        await refused('file_write', { path: at, content: '{}' }, PROTECTED);
      await call('file_write', { path: 'bare/config', content: `[core]\nfsmonitor = ${marker}` });
      await call('dir_create', { path: 'bare/objects' });
      await call('dir_create', { path: 'bare/refs' });
      await refused('file_write', { path: 'bare/HEAD', content: 'ref: refs/heads/main' }, PROTECTED);
      git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'first');
      assertThat('no hook has run', !existsSync(marker));
    },
  },
  {
    id: 'W-variables',
    what: 'an agent that may start one harmless program sets variables that make it load code',
    holds: 'each is refused before anything is started; others are passed on',
    quick: true,
    async run(scene) {
      const { call, refused } = await newAgent(scene);
      for (const name of ['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'BASH_ENV', 'GIT_SSH_COMMAND', 'PATH'])
        await refused('process_start', { command: 'true', env: [`${name}=/x`] }, /may not be set: .*allowEnv/);
      await refused('process_start', { command: 'sh', args: ['-c', 'LD_PRELOAD=/x true'] }, /may not be started/);
      assert.equal((await call('process_start', { command: 'true', env: ['GREETING=x'] })).isError, false);
      assert.match((await call('process_list', {})).text, /"total": ?1\b/);
    },
  },
];
