import { describe, expect, test } from 'vitest';
import { argumentsOfViaduct, isWrittenByExport } from '../../../src/agents/own-program.ts';

const SCRIPT = '/opt/viaduct/dist/main.js';

describe('what starts Viaduct', () => {
  test.each([
    ['viaduct', ['stdio']],
    ['/usr/local/bin/viaduct', ['stdio']],
    ['C:\\npm\\viaduct.cmd', ['stdio']],
    ['node', [SCRIPT, 'stdio']],
    ['/usr/bin/node', ['--enable-source-maps', '--import', 'tsx', SCRIPT, 'stdio']],
    ['node', ['/usr/lib/node_modules/mcp-viaduct/dist/main.js', 'stdio']],
    ['npx', ['-y', 'mcp-viaduct', 'stdio']],
    ['npx', ['mcp-viaduct@1.2.3', 'stdio']],
    ['npx', ['-y', '--package=mcp-viaduct@0.1.0', 'viaduct', 'stdio']],
    ['npx', ['-y', '--package=/tmp/mcp-viaduct-0.1.0.tgz', 'viaduct', 'stdio']],
    ['npx', ['-y', '-p', 'mcp-viaduct', 'viaduct', 'stdio']],
    ['npm', ['exec', '--yes', 'mcp-viaduct', '--', 'stdio']],
    ['pnpm', ['dlx', 'mcp-viaduct', 'stdio']],
    ['cmd', ['/c', 'npx', '-y', 'mcp-viaduct', 'stdio']],
    ['env', ['A=1', 'viaduct', 'stdio']],
  ])('%s %j', (command, args) => {
    expect(argumentsOfViaduct({ command, args }, SCRIPT)).toEqual(['stdio']);
  });
});

describe('what only mentions Viaduct', () => {
  test.each([
    ['docker', ['exec', 'viaduct', 'some-server']],
    ['npx', ['-y', 'some-server', 'viaduct']],
    ['npx', ['-y', '--package=mcp-viaduct', 'some-server']],
    ['uvx', ['mcp-server-git', '--repository', 'viaduct']],
    ['node', ['server.js', SCRIPT]],
    ['node', ['server.js', 'viaduct']],
    ['cat', [SCRIPT]],
    ['npm', ['run', 'viaduct']],
    ['env', ['A=1']],
    ['viaduct-tools', ['stdio']],
    ['npx', []],
  ])('%s %j', (command, args) => {
    expect(argumentsOfViaduct({ command, args }, SCRIPT)).toBeUndefined();
  });
});

describe('an entry that an export writes', () => {
  test.each([
    ['viaduct', ['stdio']],
    ['viaduct', ['stdio', '--config', '/home/a/viaduct.yaml', '--profile', 'work']],
    ['/usr/bin/node20', ['/src/viaduct/dist/main.js', 'stdio', '--config', '/home/a/viaduct.yaml']],
    ['npx', ['-y', '--package=mcp-viaduct@0.1.0', 'viaduct', 'stdio']],
  ])('is %s %j', (command, args) => {
    expect(isWrittenByExport({ command, args })).toBe(true);
  });

  test.each([
    ['docker', ['run', '-i', 'viaduct', 'stdio']],
    ['other', ['stdio']],
    ['viaduct', ['stdio', '--log', 'x']],
    ['viaduct', ['serve']],
    ['viaduct', []],
  ])('is not %s %j', (command, args) => {
    expect(isWrittenByExport({ command, args })).toBe(false);
  });
});
