import { expect, test } from 'vitest';
import { adapterFor, negotiate } from '../../../../../src/workflows/checkpoint/adapters/adapters.ts';

test.each([
  ['claude-code', 'claude-code'],
  ['Claude Code', 'claude-code'],
  ['cursor-vscode', 'cursor'],
  ['Cursor', 'cursor'],
  ['Kiro', 'kiro'],
  ['antigravity-client', 'antigravity'],
  ['codex-mcp-client', 'codex'],
  ['Visual Studio Code', 'vscode'],
  ['vscode', 'vscode'],
  ['Zed', 'zed'],
  ['generic', 'generic'],
  ['cursory-glance', 'generic'],
  ['zedd', 'generic'],
  ['', 'generic'],
  [undefined, 'generic'],
])('a client that calls itself %s is taken for %s', (name, ide) => {
  expect(adapterFor(name).ide).toBe(ide);
});

test('what arrives is what both sides can do', () => {
  expect(negotiate('L3', 'L1')).toBe('L1');
  expect(negotiate('L0', 'L3')).toBe('L0');
  expect(negotiate('L2', 'L2')).toBe('L2');
});
