// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { explainIn, fixture, freshHome, openServe, openStdio, statusOf, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { shared } from '../../support/shared.ts';

/** Entries with a fault: the entry, and what people are told of it. */
const FAULTS: Readonly<Record<string, readonly [entry: unknown, words: string]>> = {
  'unset-in-env': [{ command: 'node', env: { T: '${NOBODY_SETS_THIS}' } }, 'the variable NOBODY_SETS_THIS is not set'],
  'unset-in-args': [{ command: 'node', args: ['${NOBODY_SETS_THIS}'] }, 'the variable NOBODY_SETS_THIS is not set'],
  'unset-in-command': [{ command: '${NOBODY_SETS_THIS}' }, 'the variable NOBODY_SETS_THIS is not set'],
  'unset-in-cwd': [{ command: 'node', cwd: '${NOBODY_SETS_THIS}' }, 'the variable NOBODY_SETS_THIS is not set'],
  'unset-in-url': [{ url: '${NOBODY_SETS_THIS}' }, 'the variable NOBODY_SETS_THIS is not set'],
  'unset-in-headers': [
    { url: 'http://127.0.0.1:9/', headers: { A: '${NOBODY_SETS_THIS}' } },
    'the variable NOBODY_SETS_THIS is not set',
  ],
  'unset-in-auth': [
    {
      url: 'http://127.0.0.1:9/',
      auth: { type: 'client-credentials', clientId: 'a', clientSecret: '${NOBODY_SETS_THIS}' },
    },
    'the variable NOBODY_SETS_THIS is not set',
  ],
  'foreign-reference': [{ command: 'node', env: { T: '${env:TOKEN}' } }, 'write ${TOKEN}'],
  'misspelt-key': [{ command: 'node', agrs: [] }, 'did you mean "args"?'],
  'args-as-text': [{ command: 'node', args: 'server.js' }, 'must be a list, not text'],
  'wrong-choice': [{ command: 'node', restart: 'allways' }, 'did you mean "always"?'],
  'number-out-of-range': [{ command: 'node', timeouts: { callMs: 0 } }, 'must be a whole number from 1'],
  'two-ways': [{ command: 'node', url: 'http://127.0.0.1:9/' }, 'either a command or a url'],
  'no-way': [{ prefix: 'none' }, 'required, but missing'],
  'no-entry': ['npx', 'an entry needs at least a command or a url'],
  'bad-url': [{ url: 'ftp://127.0.0.1/' }, 'must be a url that begins with'],
  'user-in-url': [{ url: 'http://me:secret@127.0.0.1/' }, 'must not have a user or password in it'],
  'bad-tcp-url': [{ url: 'tcp://127.0.0.1' }, 'a tcp url has a host and a port'],
  'headers-of-command': [{ command: 'node', headers: { A: 'b' } }, 'goes only with a url'],
  'bad-header': [{ url: 'http://127.0.0.1:9/', headers: { Host: 'x' } }, 'this header is set by Viaduct itself'],
  'taken-prefix': [{ command: 'node', prefix: 'good' }, 'has the prefix "good" already'],
  'reserved-prefix': [{ command: 'node', prefix: 'xcode_tools' }, 'is reserved for workflow xcode-ide'],
  'my server': [{ command: 'node' }, 'not a name that an upstream can have'],
  'whole-line': [{ command: 'npx -y @x/y' }, 'write command: npx, args: [-y, "@x/y"]'],
  'quoted-command': [{ command: '"npx"' }, 'write command: npx'],
  'no-folder': [{ command: 'node', cwd: '/nowhere/at/all' }, '"/nowhere/at/all" (cwd) does not exist'],
  'no-command': [{ command: 'nobody-has-this-command' }, 'command "nobody-has-this-command" not found'],
  'no-file': [{ command: './nowhere/server' }, 'there is no file'],
  'no-certificate': [{ url: 'https://127.0.0.1:9/', tls: { ca: '/nowhere/ca.pem' } }, '/nowhere/ca.pem'],
};

const gateway = shared(async () => {
  const faulty = Object.fromEntries(Object.entries(FAULTS).map(([key, [entry]]) => [key, entry]));
  const config = writeConfig({
    enabledWorkflows: ['gateway'],
    log: { level: 'silent' },
    lists: { graceMs: 20_000 },
    upstreams: { good: fixture('hostile'), ...faulty },
  });
  const env = freshHome();
  const { url } = await openServe(config, env);
  const status = await statusOf(config, env);
  return { config, env, url, status };
});

describe('a gateway with entries that have a fault', () => {
  test.for(Object.entries(FAULTS))('shows what is wrong: %s', async ([key, [, words]]) => {
    const { status, config, env } = await gateway();
    const upstream = status.upstreams.find((one: any) => one.key === key);
    expect(upstream).toMatchObject({ state: 'failed', counts: { tools: 0 } });
    expect(upstream.reason).toContain(words);
    if (upstream.prefix !== key) return;
    const [why] = await explainIn(env, config, `${key}_anything`);
    expect(why).toMatchObject({ cause: 'upstream-not-ready', provider: key });
    expect(why.detail).toContain(words);
  });

  test('serves what the others have, over HTTP and over a pipe', async () => {
    const { url, config, env } = await gateway();
    const http = await HttpSession.open(url);
    expect(await http.callText('good_echo', { text: 'over HTTP' })).toBe('over HTTP');
    const pipe = await openStdio(config, env);
    await pipe.initialize();
    expect(await pipe.callText('good_echo', { text: 'over a pipe' })).toBe('over a pipe');
  });

  test('says in the answer to a call what is wrong with the entry', async () => {
    const { url } = await gateway();
    const text = await (await HttpSession.open(url)).callText('unset-in-env_create_issue');
    expect(text).toContain('the variable NOBODY_SETS_THIS is not set');
  });

  test('tells agents, too', async () => {
    const { url } = await gateway();
    const report = await (await HttpSession.open(url)).callText('viaduct_status');
    expect(JSON.parse(report).upstreams).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: 'unset-in-env',
          state: 'failed',
          reason: expect.stringContaining('NOBODY_SETS_THIS'),
        }),
      ]),
    );
  });
});
