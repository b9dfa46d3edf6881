import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { byFiles, findOwnCommand } from '../../../../src/commands/own-entry/find-own-command.ts';
import { VERSION } from '../../../../src/gateway/version.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const node = '/opt/node/bin/node';

/** An installation of the package in a folder, with the link that npm makes in `bin`. */
function install(folder: string, bin = path.join(folder, 'node_modules', '.bin')) {
  const script = path.join(folder, 'node_modules', 'mcp-viaduct', 'dist', 'main.js');
  mkdirSync(path.dirname(script), { recursive: true });
  mkdirSync(bin, { recursive: true });
  writeFileSync(script, '');
  const link = path.join(bin, 'viaduct');
  symlinkSync(script, link);
  return { script, link, bin };
}

const root = () => realpathSync(temporaryFolder());
const pathOf = (...folders: readonly string[]) => ({ PATH: ['/usr/bin', ...folders].join(path.delimiter) });

describe('the command that starts this program again', () => {
  test('is its name where it is installed for the user', () => {
    const folder = root();
    const { script, link, bin } = install(path.join(folder, 'lib'), path.join(folder, 'bin'));
    for (const started of [link, script]) {
      expect(findOwnCommand({ script: started, node, env: pathOf(bin) })).toEqual({ command: 'viaduct', args: [] });
    }
  });

  test.each([
    ['pnpm', 'exec node  "$basedir/lib/node_modules/mcp-viaduct/dist/main.js" "$@"\n'],
    ['npm on Windows', '"%_prog%"  "%dp0%\\lib\\node_modules\\mcp-viaduct\\dist\\main.js" %*\r\n'],
  ])('is its name where a script on PATH starts it: %s', (_installer, text) => {
    const folder = root();
    const { script } = install(path.join(folder, 'lib'));
    const shim = path.join(folder, 'viaduct');
    writeFileSync(shim, `#!/bin/sh\n${text}`);
    chmodSync(shim, 0o755);
    expect(findOwnCommand({ script, node, env: pathOf(folder) }).command).toBe('viaduct');
  });

  test('is its file where it is installed in a project: only npm has that folder on PATH', () => {
    const { script, link, bin } = install(root());
    for (const env of [pathOf(bin), pathOf()]) {
      expect(findOwnCommand({ script: link, node, env })).toEqual({ command: node, args: [script] });
    }
  });

  test('is its file in a checkout of the repository', () => {
    const script = path.join(root(), 'main.js');
    writeFileSync(script, '');
    expect(findOwnCommand({ script, node, env: {} })).toEqual({ command: node, args: [script] });
  });

  test('is its file where PATH has another installation', () => {
    const folder = root();
    const { bin } = install(path.join(folder, 'global'), path.join(folder, 'bin'));
    const { script, link } = install(path.join(folder, 'project'));
    expect(findOwnCommand({ script: link, node, env: pathOf(bin) })).toEqual({ command: node, args: [script] });
  });

  test.each([
    ['a name', { _npx: { packages: ['mcp-viaduct'] } }, 'mcp-viaduct'],
    ['a repository', { _npx: { packages: ['github:somebody/viaduct#v1'] } }, 'github:somebody/viaduct#v1'],
    ['several packages', { _npx: { packages: ['a', 'b'] } }, `mcp-viaduct@${VERSION}`],
    ['nothing that is known', {}, `mcp-viaduct@${VERSION}`],
  ])('is npx where npx runs it, with what npx was given: %s', (_what, manifest, spec) => {
    const cache = path.join(root(), '.npm', '_npx', '0123abcd');
    const { link, bin } = install(cache);
    writeFileSync(path.join(cache, 'package.json'), JSON.stringify(manifest));
    expect(findOwnCommand({ script: link, node, env: pathOf(bin) })).toEqual({
      command: 'npx',
      args: ['-y', `--package=${spec}`, 'viaduct'],
    });
  });

  test('is its file where npx was given a package by a relative path, which means nothing elsewhere', () => {
    const cache = path.join(root(), '_npx', 'abc');
    const { script, link } = install(cache);
    writeFileSync(path.join(cache, 'package.json'), JSON.stringify({ _npx: { packages: ['./viaduct.tgz'] } }));
    expect(findOwnCommand({ script: link, node, env: {} })).toEqual({ command: node, args: [script] });
  });

  test('is npx too where its cache has no package.json', () => {
    const { link } = install(path.join(root(), '_npx', 'abc'));
    expect(findOwnCommand({ script: link, node, env: {} }).args[1]).toBe(`--package=mcp-viaduct@${VERSION}`);
  });
});

test('an agent that finds no programs gets the files themselves', () => {
  const { script, link } = install(root());
  expect(byFiles({ script: link, node })).toEqual({ command: node, args: [script] });
});
