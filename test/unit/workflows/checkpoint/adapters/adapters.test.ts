import { expect, test } from 'vitest';
import { adapterFor } from '../../../../../src/workflows/checkpoint/adapters/adapters.ts';

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

test.each([
  ['claude-code', 'L3'],
  ['cursor', 'L2'],
  ['kiro', 'L1'],
  ['a client nobody knows', 'L1'],
])('%s gets as much of a conversation as it can use: %s', (name, level) => {
  expect(adapterFor(name).consumes).toBe(level);
});
