import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { codex } from '../../../../src/agents/known/codex.ts';
import { prepareExport, prepareUndo, writeExport, writeUndo } from '../../../../src/commands/export/export-gateway.ts';
import { backupPath } from '../../../../src/commands/user-files/back-up.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** A user of Codex with this file. */
function codexUser(text: string) {
  const home = temporaryFolder();
  const env = { HOME: home, VIADUCT_HOME: path.join(home, '.viaduct') };
  const file = path.join(home, '.codex', 'config.toml');
  mkdirSync(path.dirname(file));
  writeFileSync(file, text);
  const request = { agent: codex, scope: 'user', env, cwd: home } as const;
  const configPath = path.join(home, 'viaduct.yaml');
  writeFileSync(configPath, 'schemaVersion: 1\nupstreams:\n  a: { command: a }\n');
  return {
    file,
    env,
    read: () => readFileSync(file, 'utf8'),
    add: async (args: readonly string[]) => {
      const options = { entry: { command: 'viaduct', args }, configPath, ownScript: undefined, isReplacing: true };
      await writeExport(await prepareExport(request, options), env);
    },
    undo: async () => writeUndo(await prepareUndo(request), env),
  };
}

const TEXT = 'model = "x" # mine\n\n[mcp_servers.a]\ncommand = "a"\n\n[tui]\ntheme = "y"';

test('two exports, one after the other, are undone together', async () => {
  const user = codexUser(TEXT);
  await user.add(['stdio']);
  await user.add(['stdio', '--profile', 'work']);
  expect(user.read()).toContain('"work"');
  await user.undo();
  expect(user.read()).toBe(TEXT);
});

test('a file that was changed since keeps the change, loses our entry, and gets back what was taken out', async () => {
  const user = codexUser(TEXT);
  await user.add(['stdio']);
  expect(user.read()).not.toContain('mcp_servers.a');
  writeFileSync(user.file, user.read().replace('"y"', '"z"'));
  await user.add(['stdio', '--profile', 'work']);
  await user.undo();
  expect(user.read()).toContain('theme = "z"');
  expect(user.read()).toContain('[mcp_servers.a]\ncommand = "a"\n');
  expect(user.read()).not.toContain('viaduct');
});

test('so does one whose backup is gone', async () => {
  const user = codexUser(TEXT);
  await user.add(['stdio']);
  rmSync(backupPath(user.env.VIADUCT_HOME, user.file));
  await user.undo();
  expect(user.read()).toContain('[mcp_servers.a]');
  expect(user.read()).not.toContain('viaduct');
  expect(existsSync(`${backupPath(user.env.VIADUCT_HOME, user.file)}.undo.json`)).toBe(false);
});
