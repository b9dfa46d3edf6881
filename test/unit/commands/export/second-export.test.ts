import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareExport, prepareUndo, writeExport, writeUndo } from '../../../../src/commands/export/export-gateway.ts';
import { agentCalled } from '../../../../src/commands/server-lists/agent-called.ts';
import { backupPath } from '../../../../src/commands/user-files/back-up.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const AGENTS = {
  codex: {
    file: '.codex/config.toml',
    text: 'model = "x" # mine\n\n[mcp_servers.a]\ncommand = "a"\n\n[tui]\ntheme = "y"\n',
    more: '\n[later]\nb = 1\n',
  },
  cursor: {
    file: '.cursor/mcp.json',
    text: '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a" }\n  },\n  "theme": "y"\n}\n',
    more: '// later\n',
  },
} as const;

/** A user whose config has the server `a`. */
function user(agent: keyof typeof AGENTS) {
  const home = temporaryFolder();
  const env = { HOME: home, VIADUCT_HOME: path.join(home, '.viaduct') };
  const file = path.join(home, AGENTS[agent].file);
  mkdirSync(path.dirname(file));
  writeFileSync(file, AGENTS[agent].text);
  const request = { agent: agentCalled(agent), scope: 'user', env, cwd: home } as const;
  const configPath = path.join(home, 'viaduct.yaml');
  writeFileSync(configPath, 'schemaVersion: 1\nupstreams:\n  a: { command: a }\n');
  const prepare = (args: readonly string[], isReplacing: boolean) =>
    prepareExport(request, { entry: { command: 'viaduct', args }, configPath, ownScript: undefined, isReplacing });
  return {
    read: () => readFileSync(file, 'utf8'),
    write: (text: string) => writeFileSync(file, text),
    backup: () => readFileSync(backupPath(env.VIADUCT_HOME, file), 'utf8'),
    kept: () => readdirSync(path.join(env.VIADUCT_HOME, 'backups')),
    prepare,
    commit: (prepared: Awaited<ReturnType<typeof prepare>>) => writeExport(prepared, env),
    add: async (args: readonly string[], isReplacing = true) => writeExport(await prepare(args, isReplacing), env),
    undo: async () => writeUndo(await prepareUndo(request), env),
  };
}

const SERVER = { codex: '[mcp_servers.a]\ncommand = "a"\n', cursor: '"a": {' };

for (const agent of ['codex', 'cursor'] as const) {
  const { text, more } = AGENTS[agent];

  test(`${agent}: an export after one that another program has taken out keeps the backup and the servers of the first`, async () => {
    const { add, read, write, backup, undo, kept } = user(agent);
    await add(['stdio']);
    const exported = read();
    expect(exported).not.toContain(SERVER[agent]);
    // Another program takes our entry out, and leaves the rest.
    write(
      agent === 'codex'
        ? exported.slice(0, exported.indexOf('[mcp_servers.viaduct]'))
        : '{\n  // mine\n  "mcpServers": {},\n  "theme": "y"\n}\n',
    );
    await add(['stdio']);
    expect(backup()).toBe(text);
    await undo();
    expect(read()).toContain(SERVER[agent]);
    expect(read()).not.toContain('viaduct');
    expect(kept()).toEqual([]);
  });

  test(`${agent}: an export after a change keeps the backup of the first`, async () => {
    const { add, read, write, backup, undo } = user(agent);
    await add(['stdio']);
    write(read() + more);
    const latest = await add(['stdio', '--profile', 'work'], false);
    expect(backup()).toBe(text);
    expect(readFileSync(latest!, 'utf8')).toContain(more);
    await undo();
    expect(read()).toContain(SERVER[agent]);
    expect(read()).toContain(more);
    expect(read()).not.toContain('viaduct');
  });

  test(`${agent}: an export after one that was undone by hand begins anew`, async () => {
    const { add, read, write, undo } = user(agent);
    await add(['stdio']);
    write(text + more);
    await add(['stdio']);
    await undo();
    expect(read()).toBe(text + more);
  });

  test(`${agent}: an export that cannot be written leaves what the first has kept`, async () => {
    const { add, read, write, prepare, commit, undo } = user(agent);
    await add(['stdio']);
    const next = await prepare(['stdio', '--profile', 'work'], true);
    const exported = read();
    write(exported + more);
    await expect(commit(next)).rejects.toThrow('has changed in the meantime');
    write(exported);
    await undo();
    expect(read()).toBe(text);
  });
}

test('an empty list of servers stays where the file had one', async () => {
  const { add, read, write, undo } = user('cursor');
  write('{\n  "mcpServers": {},\n  "a": 1\n}\n');
  await add(['stdio']);
  write(read().replace('"a": 1', '"a": 2'));
  await undo();
  expect(read()).toBe('{\n  "mcpServers": {},\n  "a": 2\n}\n');
});
