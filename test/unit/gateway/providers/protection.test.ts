import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KNOWN_AGENTS } from '../../../../src/agents/index.ts';
import { serverListAgents } from '../../../../src/agents/server-files.ts';
import { userFolders } from '../../../../src/agents/user-folders.ts';
import { parseConfig } from '../../../../src/config/load.ts';
import { protectionOf } from '../../../../src/gateway/providers/protection.ts';
import { loadOptions } from '../../../../src/gateway/settings/load-settings.ts';
import { planPriming, primableAgents } from '../../../../src/workflows/checkpoint/adapters/priming/plan.ts';
import type { Intent } from '../../../../src/workspace/protection/rules.ts';
import { groundHere, Sandbox } from '../../../../src/workspace/sandbox.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** A user's folder that is the workspace as a whole, with the config of a gateway in it. */
async function newScene(config: object = {}, more: Record<string, string> = {}) {
  const base = realpathSync(temporaryFolder());
  const configPath = path.join(base, 'work/gateway.yaml');
  const env = { HOME: base, PATH: `${path.join(base, 'bin')}:/usr/bin:.`, ...more };
  for (const folder of ['work', 'state', 'bin']) mkdirSync(path.join(base, folder));
  const text = JSON.stringify({ schemaVersion: 1, ...config });
  writeFileSync(configPath, text);
  for (const name of ['key.pem', 'cert.pem', 'server.js', 'settings.json', 'run.sh'])
    writeFileSync(path.join(base, 'work', name), 'x');
  const parsed = parseConfig(text, { ...loadOptions(env), path: configPath });
  const guard = protectionOf(parsed, { configPath, home: path.join(base, 'state'), env });
  const sandbox = new Sandbox([{ folder: base }], await groundHere(), guard);
  const tells = async (place: string, intent: Intent): Promise<string> =>
    sandbox
      .at(path.resolve(base, place), { follow: false, mayLack: true, intent }, async () => 'free')
      .catch((error: { code: string; message: string }) => {
        expect(error.code).toBe('PATH_PROTECTED');
        return error.message;
      });
  return {
    base,
    env,
    change: (place: string) => tells(place, 'change'),
    read: (place: string) => tells(place, 'read'),
  };
}

describe('the files that a config names', () => {
  test('are not changed, and keys are not read', async () => {
    const { change, read } = await newScene({
      server: { tls: { cert: './cert.pem', key: './key.pem' } },
      log: { file: './gateway.log' },
      audit: { file: './audit.jsonl', files: 3 },
      upstreams: {
        secure: { url: 'https://example.org/', tls: { ca: './ca.pem', cert: './client.pem', key: './client.key' } },
        machine: {
          url: 'https://example.org/',
          auth: { type: 'private-key-jwt', clientId: 'c', key: './jwt.pem' },
        },
        inline: { url: 'https://example.org/', tls: { ca: '-----BEGIN CERTIFICATE-----' } },
        off: { url: 'https://example.org/', disabled: true, tls: { ca: './off.pem' } },
      },
    });
    expect(await change('work/gateway.yaml')).toContain('the config of this gateway');
    expect(await read('work/gateway.yaml')).toBe('free');
    for (const name of ['key.pem', 'client.key', 'jwt.pem']) {
      expect(await change(`work/${name}`)).toContain('a private key that the config names');
      expect(await read(`work/${name}`)).toContain('a private key that the config names');
    }
    for (const name of ['cert.pem', 'client.pem', 'ca.pem', 'off.pem']) {
      expect(await change(`work/${name}`)).toContain('a certificate that the config names');
      expect(await read(`work/${name}`)).toBe('free');
    }
    for (const name of ['gateway.log', 'audit.jsonl', 'audit.1.jsonl', 'audit.2.jsonl', 'audit.jsonl.lock'])
      expect(await change(`work/${name}`)).toContain('a log that the gateway writes');
    expect(await change('work/other.pem')).toBe('free');
  });

  test('with which an upstream is started are not changed: its program, scripts and settings', async () => {
    const { change } = await newScene({
      upstreams: {
        node: { command: 'node', args: ['./server.js', '--config=settings.json', 'serve', '.', '-e', '0'] },
        path: { command: './run.sh', disabled: true },
        env: { command: 'uvx', args: ['x'], env: { SETTINGS: 'settings.json' } },
      },
    });
    expect(await change('work/server.js')).toContain('a file that the upstream "node" is started with');
    expect(await change('work/server.js')).toContain('workspace.unprotected');
    expect(await change('work/settings.json')).toContain('a file that the upstream "node"');
    expect(await change('work/run.sh')).toContain('a file that the upstream "path"');
    for (const name of ['serve', 'node', 'uvx', 'x', 'other.js']) expect(await change(`work/${name}`)).toBe('free');
  });

  test('and folders of PATH, in which its commands are looked for', async () => {
    const { change } = await newScene();
    expect(await change('bin/node')).toContain('a folder of PATH');
    expect(await change('node')).toBe('free');
  });

  test('workspace.unprotected lifts some of it, and never the config', async () => {
    const { change } = await newScene({
      workspace: { unprotected: ['*'] },
      server: { tls: { cert: './cert.pem', key: './key.pem' } },
      upstreams: { node: { command: 'node', args: ['./server.js'] } },
    });
    for (const name of ['work/server.js', 'bin/node', '.git/hooks/x', '.mcp.json', 'viaduct.yaml'])
      expect([name, await change(name)]).toEqual([name, 'free']);
    for (const name of ['work/gateway.yaml', 'work/key.pem', 'state/x', '.config/viaduct/config.yaml', '.viaduct/x'])
      expect([name, await change(name)]).toEqual([name, expect.stringContaining('is protected')]);
  });
});

test('the configs that a start would find are not made, in any folder', async () => {
  const { change } = await newScene();
  for (const name of [
    'work/viaduct.yaml',
    'work/.viaduct/config.yaml',
    'work/deep/viaduct.yaml',
    'work/deep/.viaduct/x',
  ])
    expect(await change(name)).toContain('a config that Viaduct reads');
  expect(await change('.config/viaduct/config.yaml')).toContain('a config that Viaduct reads when it is started');
  const named = await newScene({}, { VIADUCT_CONFIG: '~/named.yaml' });
  expect(await named.change('named.yaml')).toContain('a config that Viaduct reads when it is started');
});

test('the folder of the gateway is neither read nor changed, nor the usual one, where it has another', async () => {
  const { change, read } = await newScene();
  for (const place of ['state', 'state/viaduct.db', '.viaduct', '.viaduct/viaduct.db']) {
    expect(await change(place)).toContain('the folder of the gateway ($VIADUCT_HOME)');
    expect(await read(place)).toContain('the folder of the gateway ($VIADUCT_HOME)');
  }
});

test('every file in which an agent that we know has its servers, settings or hooks is protected', async () => {
  const { base, env, change } = await newScene();
  const user = userFolders(env, { home: env.HOME, platform: process.platform });
  const project = path.join(base, 'work/project');
  const files = [
    ...serverListAgents(KNOWN_AGENTS).flatMap(({ servers }) => servers.ofUser(user)),
    ...serverListAgents(KNOWN_AGENTS).flatMap(({ servers }) => servers.inProject(project)),
    ...primableAgents().flatMap(({ priming }) => priming.ofUser(user).servers?.file ?? []),
    ...primableAgents().flatMap(({ priming }) => priming.inProject(project, () => false).servers?.file ?? []),
    ...primableAgents().flatMap(({ name: agent }) =>
      [project, undefined].flatMap((folder) =>
        planPriming({
          agent,
          folder,
          user,
          exists: () => false,
          entry: { command: 'viaduct', args: [] },
          hookCommand: () => 'viaduct',
          remove: false,
        })
          .changes.filter(({ what }) => what !== 'instructions')
          .map(({ file }) => file),
      ),
    ),
  ];
  expect(files.length).toBeGreaterThan(20);
  for (const file of new Set(files))
    expect([file, await change(file)]).toEqual([file, expect.stringContaining('may name commands')]);
});

test('what agents only read as text is not protected', async () => {
  const { change } = await newScene();
  for (const name of [
    'CLAUDE.md',
    'AGENTS.md',
    '.cursor/rules/x.mdc',
    '.claude/commands/x.md',
    '.claude/skills/x/SKILL.md',
    '.github/copilot-instructions.md',
    '.github/workflows/ci.yml',
    '.kiro/steering/x.md',
    '.vscode/notes.md',
    'package.json',
    'Makefile',
  ])
    expect([name, await change(`work/${name}`)]).toEqual([name, 'free']);
});

test('settings of git for all repositories are not changed', async () => {
  const { change } = await newScene({}, { GIT_CONFIG_GLOBAL: '' });
  for (const name of ['.gitconfig', '.config/git/config']) expect(await change(name)).toContain('settings of');
});
