import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertThat, inTime } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { Probe } from '../../long/probe.ts';
import { MARKER, type Scene, until } from '../../scene.ts';
import { BOMB, RELOAD_FAULTS } from './config-reload.ts';
import { TRUST_FAULTS } from './config-trust.ts';

/** A config that must be refused by `viaduct config check`, with words that help. */
function refused(id: string, what: string, words: RegExp, text: string | (() => Buffer)): Fault {
  return {
    id: `C-${id}`,
    what,
    holds: 'refused within two seconds, with its place where it has one; no secret is shown',
    quick: true,
    async run(scene) {
      const file = path.join(scene.folder, 'viaduct.yaml');
      writeFileSync(file, typeof text === 'string' ? text : text());
      const probe = new Probe(scene.folder);
      const { code, output } = await inTime(
        'the refusal',
        2_000,
        scene.viaduct(['config', 'check', '--config', file], { TOKEN: MARKER, ...probe.env }),
      );
      assert.equal(code, 2, output);
      assert.match(output, words);
      assertThat('no secret is shown', !output.includes(MARKER));
      assert.equal(probe.pollutedAtExit(), false, 'prototypes of the command are polluted');
    },
  };
}

const HEAD = 'schemaVersion: 1\nupstreams:\n  a:\n    command: node\n';

/** The arguments of a child of the gateway, as it wrote them down itself. */
async function argumentsSeen(scene: Scene, args: readonly string[]): Promise<readonly string[]> {
  const file = path.join(scene.folder, 'seen.json');
  const script = 'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))';
  const entry = { command: process.execPath, args: ['-e', script, file, ...args], cwd: scene.folder };
  await scene.serve({ child: entry });
  await until('the child has written', () => existsSync(file) && readFileSync(file, 'utf8').endsWith(']'));
  return JSON.parse(readFileSync(file, 'utf8')) as string[];
}

const PARSE_FAULTS: readonly Fault[] = [
  refused('yaml-bomb', 'a billion laughs: aliases of aliases', /viaduct\.yaml:[0-9]+:[0-9]+ .*alias/, BOMB),
  refused(
    'yaml-recursive',
    'an alias inside what it stands for',
    /viaduct\.yaml:[0-9]+/,
    `${HEAD}    env: &e { A: *e }\n`,
  ),
  refused(
    'yaml-deep',
    '20,000 levels of nesting',
    /viaduct\.yaml/,
    `${HEAD}    args: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
  ),
  refused('yaml-duplicate', 'a key that occurs twice', /viaduct\.yaml:5:5 /, `${HEAD}    command: sh\n`),
  refused(
    'yaml-duplicate-entry',
    'an upstream that occurs twice',
    /viaduct\.yaml:5:3 /,
    `${HEAD}  a:\n    command: sh\n`,
  ),
  refused(
    'yaml-tag',
    'tags that make other readers run code',
    /viaduct\.yaml:5:[0-9]+ .*tag/i,
    `${HEAD}    args: !!js/function "x"\n`,
  ),
  refused('yaml-merge', 'a merge key', /viaduct\.yaml:[0-9]+:[0-9]+/, `x: &x { command: sh }\n${HEAD}    <<: *x\n`),
  refused('yaml-documents', 'two documents in one file', /viaduct\.yaml:[0-9]+/, `${HEAD}---\n${HEAD}`),
  refused(
    'proto',
    'a key named __proto__',
    /viaduct\.yaml:5:5 .*__proto__/,
    `${HEAD}    __proto__: { polluted: yes }\n`,
  ),
  refused(
    'proto-entry',
    'an upstream named __proto__ or constructor',
    /__proto__[\s\S]*constructor/,
    `${HEAD}  __proto__: { command: sh }\n  constructor: { command: sh }\n`,
  ),
  refused('too-large', 'a file of more than 1 MiB', /1 MiB/, `${HEAD}# ${'x'.repeat(1024 * 1024)}\n`),
  refused(
    'nul',
    'a NUL in the text and in an argument',
    /viaduct\.yaml:[0-9]+:[0-9]+ /,
    `${HEAD}    args: ["a\\0b", "\0"]\n`,
  ),
  refused('no-text', 'bytes that are no text', /UTF-8/, () =>
    Buffer.concat([Buffer.from(HEAD), Buffer.from([0xff, 0xfe])]),
  ),
  refused(
    'unknown-key',
    'a key that is spelt wrongly',
    /viaduct\.yaml:5:5 +upstreams\.a\.arsg: unknown key[\s\S]*"args"/,
    `${HEAD}    arsg: [x]\n`,
  ),
  refused(
    'secret-misplaced',
    'a secret beside a mistake, in valid YAML',
    /viaduct\.yaml:6:5 /,
    `${HEAD}    env: { TOKEN: "${MARKER}" }\n    envv: x\n`,
  ),
  refused(
    'secret-broken',
    'a secret on the line of a mistake, in broken YAML',
    /viaduct\.yaml:[0-9]+:[0-9]+ /,
    `${HEAD}    env:\n      TOKEN: "${MARKER}" }\n`,
  ),
  refused(
    'secret-wrong-type',
    'a secret where a switch is wanted',
    /disabled/,
    `${HEAD}    env: { T: { U: "${MARKER}" } }\n    disabled: 1\n`,
  ),
  refused(
    'log-file',
    'a log file in a folder that there is not',
    /viaduct\.yaml:6:9 +log\.file: there is no folder/,
    `${HEAD}log:\n  file: nowhere/x.log\n`,
  ),
];

const COMMAND_FAULTS: readonly Fault[] = [
  {
    id: 'X-cmd-shell',
    what: 'arguments with newlines, quotes, $(…), backticks, ; and & in them',
    holds: 'they reach the program as they are: there is no shell',
    quick: true,
    async run(scene) {
      const canary = path.join(scene.folder, 'canary');
      const words = [`$${'(touch canary)'}`, '`touch canary`', '; touch canary', '& touch canary', '| touch canary'];
      const args = [...words, 'a\nb\r\nc', '"\'\\', '', ' ', '*', '~', `> ${canary}`, '--', 'é\u2028'];
      assert.deepEqual(await argumentsSeen(scene, args), args);
      assertThat('no shell made the file', !existsSync(canary));
    },
  },
  {
    id: 'X-cmd-remote',
    what: 'a client tries the methods and routes by which a gateway could be told to run something',
    holds: 'there are none: unknown method, 404, and the config is as it was',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({ a: scene.hostile('ok') });
      const config = readFileSync(path.join(scene.folder, 'viaduct.yaml'), 'utf8');
      const session = await HttpSession.open(gateway.url);
      const params = { upstreams: { evil: { command: 'touch', args: ['/tmp/x'] } }, command: 'sh', config: {} };
      const methods = ['viaduct/status', 'viaduct/sync', 'viaduct/tools', 'viaduct/reload', 'config/set', 'server/add'];
      for (const method of methods) {
        const { body } = await session.post(session.request(method, params));
        assert.equal(JSON.parse(body).error.code, -32601, method);
      }
      for (const route of ['/config', '/reload', '/api/servers', '/admin', '/mcp/config', '/status', '/metrics']) {
        const answer = await fetch(gateway.url.replace('/mcp', route), {
          method: 'POST',
          body: JSON.stringify(params),
        });
        assert.equal(answer.status, 404, route);
      }
      assert.equal(readFileSync(path.join(scene.folder, 'viaduct.yaml'), 'utf8'), config);
    },
  },
];

/** The rows about forms of configs, and about their commands. */
export const CONFIG_FAULTS: readonly Fault[] = [...PARSE_FAULTS, ...COMMAND_FAULTS, ...RELOAD_FAULTS, ...TRUST_FAULTS];
