// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixture, freshHome, openServe, openStdio, statusOf, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { shared } from '../../support/shared.ts';

const config = (changes: object, upstreams: object = {}) =>
  JSON.stringify({
    schemaVersion: 1,
    log: { level: 'silent' },
    lists: { graceMs: 20_000 },
    upstreams: { a: fixture('hostile'), b: fixture('hostile'), ...upstreams },
    ...changes,
  });

const b = fixture('hostile');

/** Edits that cannot be taken over, as a whole or for one entry: what is written, and what people are told. */
const EDITS: readonly (readonly [name: string, text: string, words: string])[] = [
  ['no YAML', 'schemaVersion: 1\nupstreams: { a: [', 'is not valid: line 2:'],
  ['a key twice', 'schemaVersion: 1\nschemaVersion: 1\n', 'this key occurs twice'],
  ['an unknown key at the top', config({ upstream: {} }), 'did you mean "upstreams"?'],
  ['a global option of the wrong type', config({ limits: { calls: 'many' } }), 'limits.calls'],
  ['another version', 'schemaVersion: 2', 'the file is of version 2'],
  ['an empty file', '', 'the file is empty'],
  ['a NUL character', `${config({})}\0`, 'a NUL character'],
  [
    'an address that is open to others',
    config({ server: { host: '0.0.0.0' } }),
    'server.tokens or server.oauth is needed',
  ],
  [
    'a profile with an upstream that is not there',
    config({ profiles: { p: { upstreams: ['x'] } } }),
    'there is no upstream "x"',
  ],
  [
    'a variable that is not set, outside of entries',
    config({ audit: { file: '${NOBODY_SETS_THIS}' } }),
    'NOBODY_SETS_THIS is not set',
  ],
  [
    'a variable that is not set, in an entry',
    config({}, { b: { ...b, env: { T: '${NOBODY_SETS_THIS}' } } }),
    'upstreams.b.env.T',
  ],
  ['a misspelt key in an entry', config({}, { b: { ...b, comand: 'x' } }), 'upstreams.b.comand'],
  ['a value of the wrong type in an entry', config({}, { b: { ...b, args: 'x' } }), 'upstreams.b.args'],
  ['a whole command line in an entry', config({}, { b: { command: 'npx -y @x/y' } }), 'is a whole command line'],
  ['a prefix that is taken', config({}, { b: { ...b, prefix: 'a' } }), 'has the prefix "a" already'],
  ['an entry that is no mapping', config({}, { b: 'npx' }), 'upstreams.b'],
];

const gateway = shared(async () => {
  const file = writeConfig({});
  writeFileSync(file, config({}));
  const env = freshHome();
  const { url } = await openServe(file, env);
  const { upstreams } = await statusOf(file, env);
  return { file, env, http: await HttpSession.open(url), pids: upstreams.map((one: any) => one.pid) };
});

const messages = async (file: string, env: NodeJS.ProcessEnv): Promise<string[]> =>
  (await statusOf(file, env)).configNotices.map(({ message }: any) => message);

/** Commands find the gateway that runs, whose upstreams go on as they were. */
async function expectServed(): Promise<void> {
  const { file, env, http, pids } = await gateway();
  expect(await http.callText('b_echo', { text: 'x' })).toBe('x');
  expect((await statusOf(file, env)).upstreams.map(({ key, state, pid }: any) => [key, state, pid])).toEqual([
    ['a', 'ready', pids[0]],
    ['b', 'ready', pids[1]],
  ]);
}

async function restore(): Promise<void> {
  const { file, env } = await gateway();
  writeFileSync(file, config({}));
  await expect.poll(() => messages(file, env)).toEqual([]);
  await expectServed();
}

test.for(EDITS)('an edit that cannot be taken over harms nothing: %s', async ([, text, words]) => {
  const { file, env } = await gateway();
  writeFileSync(file, text);
  await expect.poll(() => messages(file, env)).toEqual([expect.stringContaining(words)]);
  await expectServed();
});

test.each([
  ['the whole file', 'upstreams: ['],
  ['an entry', config({}, { b: { ...b, comand: 'x' } })],
])('a pipe finds the gateway that runs while something is wrong with %s', async (_name, text) => {
  const { file, env } = await gateway();
  writeFileSync(file, text);
  await expect.poll(() => messages(file, env)).toHaveLength(1);
  const pipe = await openStdio(file, env);
  await pipe.initialize();
  expect(await pipe.callText('a_echo', { text: 'y' })).toBe('y');
  expect(await pipe.callText('b_echo', { text: 'z' })).toBe('z');
  await restore();
});

test('a config that is removed stays in force', async () => {
  const { file, env } = await gateway();
  rmSync(file);
  await expect.poll(() => messages(file, env)).toEqual([expect.stringContaining('there is no config file here')]);
  await expectServed();
  await restore();
});

test.skipIf(process.platform === 'win32')('a config that others may change now is not read again', async () => {
  const { file, env } = await gateway();
  chmodSync(file, 0o666);
  writeFileSync(file, config({ lists: { graceMs: 1 } }));
  await expect.poll(() => messages(file, env)).toEqual([expect.stringContaining('other users may change it')]);
  await expectServed();
  chmodSync(file, 0o600);
  await restore();
});

test('the rest of an edit is taken over although an entry in it has a fault', async () => {
  const { file, env } = await gateway();
  writeFileSync(file, config({}, { b: { ...b, comand: 'x' }, c: fixture('hostile'), d: { comand: 'x' } }));
  await expect
    .poll(async () => (await statusOf(file, env)).upstreams.map(({ key, state }: any) => `${key} ${state}`))
    .toEqual(['a ready', 'b ready', 'c ready', 'd failed']);
  await restore();
});
