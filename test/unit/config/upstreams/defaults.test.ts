// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { issuesOf, parse } from '../parse-text.ts';

/** The entry `a` of a file with these defaults. */
function entryWith(defaults: object, entry: object): any {
  return parse(JSON.stringify({ schemaVersion: 1, defaults, upstreams: { a: entry } })).upstreams[0];
}

describe('defaults', () => {
  test('hold for entries that say nothing else', () => {
    const defaults = { restart: 'on-demand', validation: 'enforce', pins: 'off', maxConcurrency: 3 };
    expect(entryWith(defaults, { command: 'x', pins: 'warn' })).toMatchObject({ ...defaults, pins: 'warn' });
  });

  test('are merged key by key in maps, and the own value wins', () => {
    const defaults = { env: { A: '1', B: '2' }, timeouts: { callMs: 5, listMs: 6 }, tools: { deny: ['x'] } };
    const entry = { command: 'x', env: { B: 3 }, timeouts: { listMs: 7 }, tools: { allow: ['y'] } };
    expect(entryWith(defaults, entry)).toMatchObject({
      env: { A: '1', B: '3' },
      timeouts: { callMs: 5, listMs: 7, connectMs: 30_000 },
      tools: { allow: ['y'], deny: ['x'] },
    });
  });

  test('replace no list: the own one holds as a whole', () => {
    expect(entryWith({ tools: { deny: ['x'] } }, { command: 'x', tools: { deny: [] } }).tools.deny).toEqual([]);
  });

  test('have names of headers in any case', () => {
    const defaults = { headers: { Authorization: 'Bearer default', 'X-Team': 'a' } };
    const entry = { url: 'https://h/mcp', headers: { authorization: 'Bearer own' } };
    expect(entryWith(defaults, entry).headers).toEqual({ authorization: 'Bearer own', 'X-Team': 'a' });
  });

  test('send no Authorization to a server to which the entry logs in', () => {
    const entry = { url: 'https://h/mcp', auth: { type: 'oauth' } };
    expect(entryWith({ headers: { Authorization: 'Bearer default' } }, entry)).toMatchObject({
      headers: {},
      auth: { type: 'oauth' },
    });
  });

  test.each([
    [{ env: { A: '1' }, cwd: '/x', inheritEnv: true }, { url: 'https://h/mcp' }],
    [{ headers: { A: '1' } }, { command: 'x' }],
    [{ headers: { A: '1' } }, { url: 'tcp://h:1' }],
    [{ headers: { A: '1' }, env: { A: '1' } }, { ports: '9960-9990' }],
  ])('mean nothing to an entry of another kind: %j in %j', (defaults, entry) => {
    expect(entryWith(defaults, entry)).toEqual(entryWith({}, entry));
  });

  test('have variables, texts for scalars, and secrets as entries do', () => {
    const text =
      'schemaVersion: 1\ndefaults: { env: { A: 1.10, B: "${TOKEN}", C_KEY: "sesame-open" } }\nupstreams: { a: { command: x } }';
    const { upstreams, secrets } = parse(text);
    expect(upstreams).toMatchObject([{ env: { A: '1.10', B: 'tok-123456', C_KEY: 'sesame-open' } }]);
    expect(secrets).toEqual(expect.arrayContaining(['tok-123456', 'sesame-open']));
  });

  test.each([
    ['defaults: { restart: allways }', 'defaults.restart: must be always, on-demand or never, not "allways"'],
    ['defaults: { command: x }', 'defaults.command: unknown key'],
    ['defaults: { environment: {} }', 'defaults.environment: unknown key -> it is called env here'],
    ['defaults: { env: { A: "${NOPE}" } }', 'defaults.env.A: the variable NOPE is not set'],
    ['defaults: []', 'defaults: must be a mapping'],
  ])('that have a fault are told once, where they stand: %s', (line, words) => {
    const issues = issuesOf(`schemaVersion: 1\n${line}\nupstreams: { a: { command: x }, b: { command: x } }`);
    expect(issues).toEqual([expect.stringContaining(words)]);
  });

  test('of a section that is commented out count as not written', () => {
    expect(parse('schemaVersion: 1\ndefaults:\n').upstreams).toEqual([]);
  });
});
