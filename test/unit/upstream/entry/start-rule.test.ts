import { expect, test } from 'vitest';
import { idleStopMs, isLazy } from '../../../../src/upstream/entry/start-rule.ts';
import { entryOf, remoteEntryOf } from '../entries.ts';

const process = { instructions: false };

test.each([
  ['a process', entryOf(process), true],
  ['a process that is to start with the gateway', entryOf({ ...process, start: 'eager' }), false],
  ['a process whose instructions clients get', entryOf({ instructions: true }), false],
  ['a process whose changed tools are withheld', entryOf({ ...process, pins: 'enforce' }), false],
  ['such a process that is to wait all the same', entryOf({ instructions: true, start: 'lazy' }), true],
  ['a process that only people start again', entryOf({ ...process, restart: 'never' }), false],
  ['a process that calls start again', entryOf({ restart: 'on-demand', start: 'eager' }), true],
  ['a server at a url', remoteEntryOf('http://127.0.0.1/mcp', process), false],
  ['a server at a url that is to wait', remoteEntryOf('http://127.0.0.1/mcp', { start: 'lazy' }), true],
])('%s waits for the first call: %#', (_what, entry, expected) => {
  expect(isLazy(entry)).toBe(expected);
});

test('only a lazy upstream that calls can start again is stopped when it is not used', () => {
  const idle = { ...process, idleStopMs: 5_000 };
  expect(idleStopMs(entryOf(idle))).toBe(5_000);
  expect(idleStopMs(entryOf({ ...idle, start: 'eager' }))).toBe(0);
  expect(idleStopMs(entryOf({ ...idle, start: 'lazy', restart: 'never' }))).toBe(0);
});
