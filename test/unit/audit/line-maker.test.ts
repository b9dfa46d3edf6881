import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LineMaker } from '../../../src/audit/line-maker.ts';
import type { ArgumentsForm } from '../../../src/audit/shown-arguments.ts';
import { GatewayError } from '../../../src/core/errors.ts';
import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { endedCall, toolWith, UPSTREAM } from './ended-call.ts';

const SECRET = 'correct-horse-battery';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

function linesOf(calls: readonly EndedCall[], form: ArgumentsForm = 'digest'): string[] {
  const masker = new Masker();
  masker.add(SECRET);
  const maker = new LineMaker(form, masker);
  const lines = calls
    .map((call) => maker.lineOf(call))
    .join('')
    .split('\n')
    .slice(0, -1);
  expect(lines).toHaveLength(calls.length);
  return lines;
}

const entryOf = (call: EndedCall, form?: ArgumentsForm): any => JSON.parse(linesOf([call], form)[0]!);
const withArguments = (args: unknown) => endedCall({ params: { name: 'up_t', arguments: args } });

describe('a line', () => {
  test('has the name of a listed tool whole, though a word of it is a secret', () => {
    const masker = new Masker();
    for (const secret of ['search', 'hunter2']) masker.add(secret);
    const maker = new LineMaker('off', masker);
    const named = (name: string, listed = true) =>
      endedCall({ params: { name }, ...(listed ? {} : { descriptor: undefined, provider: undefined }) });
    const shown = [named('up_search'), named('up_hunter2'), named('no_search', false)].map((call) =>
      maker.lineOf(call),
    );
    expect(shown.map((line) => JSON.parse(line).tool)).toEqual(['up_search', 'up_[secret]', 'no_[secret]']);
  });

  test('has who called what, and what became of it, in this order', () => {
    const digest = createHash('sha256').update('{"a":1}').digest('hex').slice(0, 16);
    expect(linesOf([endedCall({ client: { principalName: 'laptop' } })])).toEqual([
      `{"at":"2026-11-28T12:00:00.007Z","session":"s1","client":"agent","principal":"laptop","method":"tools/call","tool":"up_t","provider":"up","level":"security","arguments":"${digest}","outcome":"ok","durationMs":12.3}`,
    ]);
  });

  test('leaves out what there is not', () => {
    const call = endedCall({
      client: { clientInfo: undefined, principalName: '' },
      method: 'resources/read',
      params: { uri: 'a://b' },
      provider: undefined,
      descriptor: undefined,
      ending: new GatewayError('UNKNOWN_RESOURCE', 'x'),
    });
    expect(linesOf([call])).toEqual([
      '{"at":"2026-11-28T12:00:00.007Z","session":"s1","method":"resources/read","tool":"a://b","level":"info","outcome":"refused","code":"UNKNOWN_RESOURCE","durationMs":12.3}',
    ]);
  });

  test('is of its own call, though others of the batch have the same name or session', () => {
    const other = { ...UPSTREAM, id: 'other' };
    const calls = [
      endedCall(),
      endedCall({ provider: other, descriptor: toolWith('{"readOnlyHint":true}') }),
      endedCall({ client: { clientId: 's2' } }),
      endedCall({ client: { name: 'newer' } }),
      endedCall({ method: 'prompts/get' }),
      endedCall(),
    ];
    const shown = linesOf(calls).map((line) => JSON.parse(line));
    expect(shown.map(({ provider, level }) => [provider, level])).toEqual([
      ['up', 'security'],
      ['other', 'info'],
      ['up', 'security'],
      ['up', 'security'],
      ['up', 'info'],
      ['up', 'security'],
    ]);
    expect(shown.map(({ session, client }) => `${session} ${client}`)).toEqual([
      's1 agent',
      's1 agent',
      's2 agent',
      's1 newer',
      's1 agent',
      's1 agent',
    ]);
  });

  test('shows what is invisible in names as escapes, and cuts what is long', () => {
    const name = `evil\u202e\u0000\n${'x'.repeat(300)}`;
    const [line] = linesOf([endedCall({ client: { name } })]);
    expect(line).toContain(String.raw`"client":"evil\u202e\u0000\nxxx`);
    expect(JSON.parse(line!).client).toBe(`${name.slice(0, 199)}…`);
    expect(entryOf(endedCall({ client: { name: 42 } }))).not.toHaveProperty('client');
  });

  test('has no secret of the config in it, and no token in a name that a client made up', () => {
    const made = endedCall({ params: { name: `up ${TOKEN}` }, descriptor: undefined });
    expect(entryOf(made).tool).toBe('up [redacted:github-token]');
    const uri = `https://u:${SECRET}@h/p?key=${TOKEN}`;
    const read = endedCall({ method: 'resources/read', params: { uri }, descriptor: undefined });
    const named = endedCall({ client: { name: SECRET }, params: { name: `up_${SECRET}` } });
    const lines = linesOf([read, named]).join('\n');
    expect(lines).not.toContain(SECRET);
    expect(lines).not.toContain(TOKEN);
    expect(lines).toContain('"client":"[secret]"');
  });
});

describe('arguments', () => {
  test('as a digest are of the very bytes that came', () => {
    const spelt = (args: string) => entryOf(endedCall({ params: `{"name":"t","arguments":${args}}` })).arguments;
    expect(spelt('{"a":1}')).toMatch(/^[0-9a-f]{16}$/);
    expect(spelt('{"a":1}')).toBe(spelt('{"a":1}'));
    expect(spelt('{"a":1}')).not.toBe(spelt('{"a": 1}'));
  });

  test('are left out where there are none, and where they are off', () => {
    expect(entryOf(endedCall({ params: { name: 't' } }))).not.toHaveProperty('arguments');
    expect(entryOf(endedCall(), 'off')).not.toHaveProperty('arguments');
  });

  test('redacted, have no secrets and no long texts', () => {
    const args = { path: 'a/b.txt', password: 'hunter2!', text: 'y'.repeat(600), note: `is ${TOKEN}`, own: SECRET };
    expect(JSON.parse(entryOf(withArguments(args), 'redacted').arguments)).toEqual({
      path: 'a/b.txt',
      password: '[redacted:password]',
      text: '(600 characters)',
      note: 'is [redacted:github-token]',
      own: '[secret]',
    });
  });

  test('redacted, are a digest where the tool may get secrets that no pattern finds', () => {
    const call = withArguments({ selector: '#password', text: 'hunter2' });
    const descriptor = { ...call.descriptor!, hasSecretArguments: true };
    expect(entryOf({ ...call, descriptor }, 'redacted').arguments).toMatch(/^[0-9a-f]{16}$/);
    expect(entryOf(call, 'redacted').arguments).toContain('hunter2');
  });

  test('redacted, are cut to two thousand characters', () => {
    const args = { list: Array.from({ length: 50_000 }, (_, index) => `item ${index}`), last: 'not there' };
    const { arguments: shown } = entryOf(withArguments(args), 'redacted');
    expect(shown.length).toBeLessThanOrEqual(2_049);
    expect(shown).toMatch(/^\{"list":\["item 0","item 1",.*…$/s);
  });

  test('redacted, are a digest where they are huge, or no JSON that can be read', () => {
    expect(entryOf(withArguments({ text: 'z'.repeat(2 ** 20) }), 'redacted').arguments).toMatch(/^[0-9a-f]{16}$/);
  });
});
