import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { WORKFLOWS } from '../../../src/workflows/index.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, freshHome, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { shared } from '../../support/shared.ts';
import { treeOf } from '../../unit/workspace/protection/protection-setup.ts';
import { BUILT_IN_TOOLS, replacements } from './built-in-tools.ts';

const SECRET = 'kept-in-the-home-of-the-gateway';
const EVIL = 'evil: of an agent\n';

/** Paths in the workspace that no tool may change. Those in `home` are not read either. */
const TARGETS = [
  'viaduct.yaml',
  'VIADUCT.yaml',
  'sub/viaduct.yaml',
  '.viaduct/config.yaml',
  'home',
  'home/secret',
  'home/pins/new.json',
  'link-to-home/secret',
  'hard-link',
  'link-to-folder/server.js',
  'tools',
  'tools/server.js',
  'keys/server.key',
  '.mcp.json',
  '.cursor/mcp.json',
  '.claude/settings.json',
  '.claude',
  '.vscode/tasks.json',
  '.codex/config.toml',
  '.git/hooks/pre-commit',
  '.git/config',
  '.git',
  'sub/.git/config',
  'hooks/pre-push',
] as const;
const isSecret = (target: string) => /home|hard-link|keys/.test(target);
interface Scene {
  readonly ws: string;
  readonly client: RawClient;
}

/** A gateway with all workflows on, whose config and home are in the workspace. */
async function newScene(): Promise<Scene> {
  const ws = realpathSync(temporaryFolder());
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(ws, name)), { recursive: true });
    writeFileSync(path.join(ws, name), text);
  };
  put('plain', EVIL);
  put('home/secret', SECRET);
  put('keys/server.key', SECRET);
  put('tools/server.js', '// a server');
  for (const name of ['.mcp.json', '.cursor/mcp.json', '.claude/settings.json', '.vscode/tasks.json']) put(name, '{}');
  put('hooks/pre-push', '# a hook');
  execFileSync('git', ['init', '-q'], { cwd: ws });
  execFileSync('git', ['config', 'core.hooksPath', 'hooks'], { cwd: ws });
  const client = {
    type: 'http',
    url: 'https://127.0.0.1:9/',
    tls: { key: 'keys/server.key', cert: 'keys/server.crt' },
  };
  put('keys/server.crt', 'certificate');
  const config = writeConfig(
    {
      enabledWorkflows: WORKFLOWS.map(({ name }) => name),
      workspace: { root: '.' },
      workflows: {
        'vscode-ide': { ports: 9 },
        live: { addr: '127.0.0.1:0' },
        ide: { builds: { nothing: { command: ['true'] } } },
        metrics: { jsonl: path.join(ws, 'metrics') },
      },
      upstreams: {
        good: { command: 'node', args: ['tools/server.js'], restart: 'on-demand' },
        secure: { ...client, restart: 'on-demand' },
      },
    },
    ws,
  );
  linkSync(path.join(ws, 'home/secret'), path.join(ws, 'hard-link'));
  symlinkSync('home', path.join(ws, 'link-to-home'));
  symlinkSync('tools', path.join(ws, 'link-to-folder'));
  const env = freshHome({ HOME: temporaryFolder(), VIADUCT_HOME: path.join(ws, 'home') });
  return { ws, client: await connectStdio(config, { env }) };
}

/** All that counts: everything but what the gateway itself keeps. */
function protectedTree(ws: string): Record<string, string | null> {
  const mayChange = /^(?:home(?!\/secret$)|metrics|plain|folder|nothing)(?:$|\/)/;
  const tree = Object.entries(treeOf(ws)).filter(([name]) => !mayChange.test(name));
  return { ...Object.fromEntries(tree), secret: readFileSync(path.join(ws, 'home/secret'), 'utf8') };
}

const CHANGES_FILES = ['file_write', 'file_edit', 'file_delete', 'file_rename'];
const IS_PATH = new Set(['path', 'oldPath', 'newPath', 'dir']);

interface Listed {
  readonly name: string;
  readonly inputSchema: Parameters<typeof replacements>[1];
  readonly annotations: { readonly readOnlyHint: boolean };
}

const documented = Array.from(readFileSync('docs/TOOLS.md', 'utf8').matchAll(/^### `(\w+)`$/gm), ([, name]) => name!);
const listable = Object.entries(BUILT_IN_TOOLS).filter(([, { isOnlyConnected }]) => isOnlyConnected !== true);

/** One gateway for all tools. */
const attacked = shared(async () => {
  const scene = await newScene();
  const tools: readonly Listed[] = (await scene.client.request('tools/list')).value.result.tools;
  return { ...scene, tools };
});

test('every built-in tool is known here, so that none is left out', async () => {
  const { tools } = await attacked();
  expect(Object.keys(BUILT_IN_TOOLS).sort()).toEqual(documented.toSorted());
  expect(tools.map(({ name }) => name).sort()).toEqual(listable.map(([name]) => name).sort());
});

const upstreamsOf = async (client: RawClient) =>
  (await client.call('viaduct_status')).structuredContent.upstreams.map(({ key }: { key: string }) => key);

describe('what decides on commands is changed by no tool, whatever it is given', () => {
  test.each(listable)('%s', async (name, { does, args }) => {
    const { ws, client, tools } = await attacked();
    const tool = tools.find((listed) => listed.name === name)!;
    const onlyReads = does === 'nothing' || ['file_read', 'file_exists', 'dir_list'].includes(name);
    expect(tool.annotations.readOnlyHint).toBe(onlyReads);
    const before = protectedTree(ws);
    const known = await upstreamsOf(client);
    for (const target of TARGETS) {
      const spellings = does === 'files' ? [target, path.join(ws, target)] : [path.join(ws, target)];
      const attacks = spellings.flatMap((spelling) => [...replacements(args, tool.inputSchema, spelling)]);
      await Promise.all(
        attacks.map(async (attack) => {
          const { isError = false, ...result } = await client.call(name, attack);
          const said = JSON.stringify(result);
          expect(said).not.toContain(SECRET);
          const isAimed = Object.entries(attack).some(
            ([key, value]) => IS_PATH.has(key) && spellings.includes(value as string),
          );
          if (!isAimed) return;
          if (CHANGES_FILES.includes(name)) expect([attack, isError]).toEqual([attack, true]);
          if (isSecret(target) && does !== 'nothing')
            expect([attack, said]).toEqual([
              attack,
              expect.stringMatching(/is protected|is no folder|is not a folder/),
            ]);
        }),
      );
    }
    expect(protectedTree(ws)).toEqual(before);
    expect(await upstreamsOf(client)).toEqual(known);
  });
});
