import { expect, test } from 'vitest';
import { addHooks, removeHooks } from '../../../../../src/workflows/checkpoint/adapters/priming/claude-hooks.ts';

const command = (does: 'load' | 'save') => `viaduct checkpoint hook ${does}`;
const ours = { type: 'command', command: command('save'), timeout: 30 };
const theirs = { type: 'command', command: 'lint' };
const settings = (stop: unknown) => JSON.stringify({ hooks: { Stop: stop } }, null, 2);

test('a hook that others have put into our group stays, and ours is there once', () => {
  const text = settings([{ hooks: [ours, theirs] }]);
  expect(JSON.parse(removeHooks(text)!)).toEqual({ hooks: { Stop: [{ hooks: [theirs] }] } });
  expect(JSON.parse(addHooks(text, command)).hooks.Stop).toEqual([{ hooks: [theirs] }, { hooks: [ours] }]);
});

test('a group to which others have given a matcher stays, with a list of hooks that Claude Code accepts', () => {
  const text = settings([{ matcher: 'x', hooks: [ours] }]);
  expect(JSON.parse(removeHooks(text)!)).toEqual({ hooks: { Stop: [{ matcher: 'x', hooks: [] }] } });
});

test('a line comment before our group takes in nothing of what follows', () => {
  const text = `{ "hooks": { "Stop": [\n  // both\n  { "hooks": [${JSON.stringify(ours)}] }, { "hooks": [] }\n] } }`;
  expect(removeHooks(text)).toBe('{ "hooks": { "Stop": [\n  // both\n  { "hooks": [] }\n] } }');
});

test.each([
  'mytool checkpoint hook save',
  'echo viaduct; other checkpoint hook save',
  'viaduct checkpoint hook save | tee x',
])('a command of others that looks like ours stays: %s', (other) => {
  const text = settings([{ hooks: [{ type: 'command', command: other }] }]);
  expect(removeHooks(text)).toBe(text);
});

test.each([
  'viaduct checkpoint hook save',
  "'/usr/local/bin/node' '/opt/my tools/dist/main.js' checkpoint hook save --config '/home/a/viaduct.yaml'",
  'npx -y --package=mcp-viaduct@0.1.0 viaduct checkpoint hook save',
])('a command of ours goes: %s', (own) => {
  expect(removeHooks(settings([{ hooks: [{ ...ours, command: own }] }]))).toBeUndefined();
});
