import { describe, expect, test } from 'vitest';
import { connectionIdentity, LiveEntry } from '../../../../src/upstream/entry/live-entry.ts';
import { parse } from '../../config/parse-text.ts';

const entryOf = (more: object, key = 'a') =>
  parse(JSON.stringify({ schemaVersion: 1, upstreams: { [key]: { command: 'x', ...more } } })).upstreams[0]!;

describe('a live entry', () => {
  test('is the entry', () => {
    const entry = entryOf({ tools: { deny: ['x'] } });
    const live = new LiveEntry(entry);
    expect({ ...live.entry }).toEqual(entry);
    expect(JSON.parse(JSON.stringify(live.entry))).toEqual(JSON.parse(JSON.stringify(entry)));
  });

  test('has the rules of the newest config', () => {
    const live = new LiveEntry(entryOf({}));
    const { entry } = live;
    expect(live.take(entryOf({ tools: { deny: ['x'] }, timeouts: { callMs: 5 } }))).toBe(true);
    expect(entry.tools.deny).toEqual(['x']);
    expect(entry.timeouts.callMs).toBe(5);
    expect(live.take(entryOf({ timeouts: { callMs: 5 }, tools: { deny: ['x'] } }))).toBe(false);
  });
});

describe('the identity of a connection', () => {
  test.each<[string, object]>([
    ['prefix', { prefix: 'p' }],
    ['restart', { restart: 'on-demand' }],
    ['timeouts', { timeouts: { callMs: 5 } }],
    ['maxConcurrency', { maxConcurrency: 1 }],
    ['tools', { tools: { allow: ['x'] } }],
    ['validation', { validation: 'enforce' }],
    ['pins', { pins: 'enforce' }],
    ['inferHints', { inferHints: true }],
    ['instructions', { instructions: true }],
  ])('stays the same when %s changes', (_key, more) => {
    expect(connectionIdentity(entryOf(more))).toBe(connectionIdentity(entryOf({})));
  });

  test.each<[string, object]>([
    ['command', { command: 'y' }],
    ['args', { args: ['y'] }],
    ['env', { env: { A: '1' } }],
    ['cwd', { cwd: '/' }],
    ['inheritEnv', { inheritEnv: true }],
    ['share', { share: 'session' }],
    ['era', { era: 'legacy' }],
  ])('is another one when %s changes', (_key, more) => {
    expect(connectionIdentity(entryOf(more))).not.toBe(connectionIdentity(entryOf({})));
  });

  test('is that of one entry', () => {
    expect(connectionIdentity(entryOf({}, 'b'))).not.toBe(connectionIdentity(entryOf({}, 'a')));
  });
});
