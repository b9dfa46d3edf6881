import { symlinkSync } from 'node:fs';
import { describe, test } from 'vitest';
import { GROUNDS } from '../workspace-setup.ts';
import { protectedScene } from './protection-setup.ts';

const NAMES = ['.cursor/*.json', '.kiro/settings/mcp.json', '.mcp.json'].map((pattern) => ({
  pattern,
  what: 'a list of servers',
}));

describe.each(GROUNDS)('with %s', (_name, ground) => {
  const scene = (files: Record<string, string>) => protectedScene({ ground, files, rules: () => ({ names: NAMES }) });

  test('where a folder of an agent is a link, its files are protected where they are', async () => {
    const { refuses, write, move, remove, at } = scene({ 'ws/shared/cursor/mcp.json': '{}', 'ws/evil/x': '' });
    symlinkSync('shared/cursor', at('ws/.cursor'));
    await refuses(write('shared/cursor/mcp.json', 'evil'), /a list of servers/);
    await refuses(write('shared/cursor/new.json', 'evil'));
    await refuses(remove('shared/cursor/mcp.json'));
    await refuses(move('shared/cursor/mcp.json', 'x'));
    await refuses(move('shared', 'elsewhere'), /leads to a list of servers/);
    await refuses(move('evil', '.cursor'));
    await refuses(remove('.cursor'));
    await write('shared/cursor/rules.md', 'fine');
    await write('shared/other.json', 'fine');
  });

  test('also where the link is deeper, is the file itself, or leads to nothing yet', async () => {
    const { refuses, write, makeFolder, at, put } = scene({ 'ws/app/.kiro/x': '', 'ws/app/list.json': '{}' });
    symlinkSync('../kept', at('ws/app/.kiro/settings'));
    symlinkSync('list.json', at('ws/app/.mcp.json'));
    await refuses(write('app/list.json', 'evil'), /it is a list of servers/);
    await refuses(write('app/kept/mcp.json', 'evil'), /it is a list of servers/);
    await makeFolder('app/kept');
    await refuses(write('app/kept/mcp.json', 'evil'));
    await write('app/kept/other', 'fine');
    put('ws/other/list.json', '{}');
    await write('other/list.json', 'fine');
  });
});
