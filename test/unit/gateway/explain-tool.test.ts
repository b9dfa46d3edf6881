import { describe, expect, test } from 'vitest';
import {
  type ExplainedUpstream,
  type ExplainFacts,
  explainTool,
  type ListedTool,
} from '../../../src/gateway/explain-tool.ts';

const upstream = (key: string, changes: Partial<ExplainedUpstream> = {}): ExplainedUpstream => ({
  key,
  prefix: key,
  state: 'ready',
  listErrors: [],
  schemaFaults: [],
  lastWords: '',
  withheld: [],
  acceptsUnlisted: () => true,
  ...changes,
});

const tool = (provider: string, ownName: string, kind: ListedTool['kind'] = 'upstream'): ListedTool => ({
  kind,
  provider,
  ownName,
});

function facts(
  upstreams: readonly ExplainedUpstream[],
  listed: Readonly<Record<string, ListedTool>> = {},
  changes: Partial<ExplainFacts> = {},
): ExplainFacts {
  return {
    listed: new Map(Object.entries(listed)),
    upstreams,
    disabled: [],
    workflowsOff: [],
    rules: { maxLength: 24, prefixes: upstreams.map(({ prefix }) => prefix), reserved: new Set(['f_own']) },
    ...changes,
  };
}

describe('a tool that is listed', () => {
  const known = facts([upstream('f'), upstream('g')], {
    f_echo: tool('f', 'echo'),
    g_echo: tool('g', 'echo'),
    viaduct_why: tool('gateway', 'viaduct_why', 'workflow'),
  });

  test('is found by its public name and by its own name', () => {
    expect(explainTool('g_echo', known)).toEqual({
      tool: 'g_echo',
      visible: true,
      cause: 'listed',
      detail: 'Clients see it as g_echo: tool "echo" of the upstream g.',
      fix: null,
      publicName: 'g_echo',
      provider: 'g',
      similar: [],
    });
    expect(explainTool('echo', known)).toMatchObject({ visible: true, publicName: 'f_echo', similar: ['g_echo'] });
    expect(explainTool('viaduct_why', known)).toMatchObject({ visible: true, provider: 'gateway' });
  });

  test.each([
    ['a_much_longer_name_than_24', 'more than 24 characters'],
    ['with space', 'characters that clients refuse'],
    ['own', 'tool of the gateway itself'],
    ['x_0123abcd', 'looks like a name with a generated hash'],
    ['f_x', 'prefix of another upstream'],
  ])('under another name: %s', (ownName, rule) => {
    const all = facts([upstream('f'), upstream('f_f')], { f_made_00000000: tool('f', ownName) });
    expect(explainTool(ownName, all).detail).toContain(rule);
  });

  test('from an earlier run of an upstream that is down', () => {
    const down = facts([upstream('f', { state: 'backoff', reason: 'process exited (code 3)' })], {
      f_echo: tool('f', 'echo'),
    });
    const { visible, detail, fix } = explainTool('f_echo', down);
    expect(visible).toBe(true);
    expect(detail).toContain('process exited (code 3)');
    expect(fix).toContain('viaduct sync f');
  });
});

describe('a tool that is withheld', () => {
  const globs = { allow: ['read_*', 'die'], deny: ['x*', 'd*'] };
  const withheld = [
    { name: 'die', reason: 'filtered', detail: '' },
    { name: 'write_all', reason: 'filtered', detail: '' },
    { name: 'odd', reason: 'unusable', detail: 'its inputSchema is missing' },
    { name: 'read_it', reason: 'pinned', detail: 'its description changed' },
  ] as const;
  const known = facts([upstream('f', { globs, withheld })], { f_read_me: tool('f', 'read_me') });

  test.each([['die'], ['f_die']])('by a glob of deny, asked for as %s', (name) => {
    const { cause, visible, detail, fix } = explainTool(name, known);
    expect({ cause, visible }).toEqual({ cause: 'filtered', visible: false });
    expect(detail).toBe('upstreams.f.tools.deny[1], "d*", hides the tool "die".');
    expect(fix).toContain('upstreams.f.tools.deny[1]');
  });

  test('because no glob of allow lets it pass', () => {
    const { detail, fix } = explainTool('write_all', known);
    expect(detail).toContain('upstreams.f.tools.allow ("read_*", "die")');
    expect(fix).toBe('add "write_all" to upstreams.f.tools.allow in the config');
  });

  test('also while its upstream does not list it', () => {
    expect(explainTool('f_delete', known)).toMatchObject({ cause: 'filtered', provider: 'f' });
  });

  test('as unusable or as pinned', () => {
    expect(explainTool('f_odd', known)).toMatchObject({ cause: 'unusable', provider: 'f' });
    expect(explainTool('f_odd', known).detail).toContain('its inputSchema is missing');
    const pinned = explainTool('f_read_it', known);
    expect(pinned.cause).toBe('pinned');
    expect(pinned.fix).toContain('viaduct pins accept f read_it');
  });
});

test('a tool of an upstream that waits for the first call needs no help', () => {
  const reason = 'not started yet; it starts with the first call';
  const waiting = facts([upstream('f', { state: 'idle', reason })], { f_echo: tool('f', 'echo') });
  const { detail, fix } = explainTool('f_echo', waiting);
  expect(detail).toContain(`It is listed from an earlier sync: f does not run: ${reason}.`);
  expect(fix).toBe(null);
});

describe('a tool that is not there', () => {
  test.each([
    ['starting', 'viaduct status'],
    ['waiting', 'viaduct sync f'],
    ['backoff', 'viaduct sync f'],
    ['crash-loop', 'viaduct sync f'],
    ['needs-auth', 'viaduct auth login f'],
    ['failed', 'upstreams.f'],
    ['stopped', 'viaduct sync f'],
    ['idle', 'viaduct sync f'],
  ])('because its upstream is %s', (state, fix) => {
    const down = facts([upstream('f', { state, reason: 'the reason' })]);
    const explanation = explainTool('f_echo', down);
    expect(explanation).toMatchObject({ visible: false, cause: 'upstream-not-ready', provider: 'f' });
    expect(explanation.fix).toContain(fix);
  });

  test('because its upstream is switched off', () => {
    const known = facts([upstream('f')], {}, { disabled: [{ key: 'off', prefix: 'f_off' }] });
    expect(explainTool('f_off_echo', known)).toMatchObject({ cause: 'upstream-disabled', provider: 'off' });
    expect(explainTool('f_echo', known)).toMatchObject({ cause: 'unknown', provider: 'f' });
  });

  test('because its workflow is not on', () => {
    const off = [{ name: 'gateway', toolNamesBegin: ['viaduct_'] }];
    const { cause, fix } = explainTool('viaduct_why', facts([], {}, { workflowsOff: off }));
    expect(cause).toBe('workflow-off');
    expect(fix).toContain('enabledWorkflows: [gateway]');
  });

  test('because its name is too long to be compared with globs', () => {
    const long = 'x'.repeat(300);
    const globs = { allow: ['x*'], deny: [] };
    const { cause, detail } = explainTool(`f_${long}`, facts([upstream('f', { globs })]));
    expect(cause).toBe('filtered');
    expect(detail).toContain('has 300 characters');
  });

  test('with the names that were meant', () => {
    const known = facts([upstream('f'), upstream('g')], {
      f_read_file: tool('f', 'read_file'),
      g_list: tool('g', 'list'),
    });
    expect(explainTool('f_readfle', known)).toMatchObject({
      cause: 'unknown',
      provider: 'f',
      fix: 'use f_read_file',
      similar: ['f_read_file'],
    });
    expect(explainTool('ReadFile', known).similar).toEqual(['f_read_file']);
    expect(explainTool('zzzzzz', known)).toMatchObject({ cause: 'unknown', similar: [], provider: null });
  });

  test('of no prefix: an upstream that is not ready may have it', () => {
    const away = facts([upstream('f', { state: 'crash-loop' })]);
    expect(explainTool('echo', away).detail).toContain('f (crash-loop)');
    const bare = facts([upstream('f', { prefix: '', state: 'failed', reason: 'not found' })]);
    expect(explainTool('echo', bare)).toMatchObject({ cause: 'upstream-not-ready', provider: 'f' });
  });

  test('names of others are escaped', () => {
    const { detail } = explainTool('f_\u001b[31m', facts([upstream('f')]));
    expect(detail).not.toContain('\u001b');
  });
});
