import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { trustConfig } from '../../support/auth/trusted.ts';
import {
  BIN,
  type CommandResult,
  fixture,
  freshHome,
  openServe,
  temporaryFolder,
  upstreams,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { endChild, hasEnded } from '../../support/processes.ts';
import { shared } from '../../support/shared.ts';

const hostile = () => upstreams({ f: fixture('hostile') });

/** A gateway that the commands of several tests find; without one, each of them would start its own. */
const found = shared(async () => {
  const config = upstreams({ f: fixture('hostile'), t: fixture('talkative') });
  const { env } = await openServe(config);
  return { config, env };
});

/** A command that finds it. */
async function ask(...words: string[]): Promise<CommandResult> {
  const { config, env } = await found();
  return viaduct([...words, '--config', config], env);
}

describe('viaduct tools', () => {
  test('lists names and what they do; with --json everything', async () => {
    const { code, stdout } = await viaduct(['tools', '--config', hostile()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^f_echo {2,}Tool echo$/m);
    expect(stdout).toMatch(/^10 tools$/m);
    const json = JSON.parse((await ask('tools', '--json')).stdout);
    expect(json[0]).toEqual({
      name: 'f_echo',
      provider: 'f',
      ownName: 'echo',
      description: 'Tool echo',
      inputSchema: { type: 'object', properties: {} },
    });
  });

  test('of one upstream, or of none', async () => {
    const { stdout } = await ask('tools', '--upstream', 't');
    expect(stdout).toContain('t_echo');
    expect(stdout).not.toContain('f_echo');
    const none = await ask('tools', '--upstream', 'c');
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/there is no upstream "c" in .*Known: f, t/);
  });

  test('hides what the entry denies, and a call to it does not get through', async () => {
    const config = upstreams({ f: { ...fixture('hostile'), tools: { allow: ['*'], deny: ['d*', 'hang'] } } });
    const { stdout } = await viaduct(['tools', '--config', config]);
    expect(stdout).not.toContain('f_die');
    expect(stdout).not.toContain('f_hang');
    expect(stdout).toContain('f_echo');
    const call = await viaduct(['call', 'f_die', '--config', config]);
    expect(call.code).toBe(1);
    expect(call.stderr).toContain('Unknown tool: f_die');
  });
});

/** A server that answers with the arguments that it got, as they were written. */
const RAW_SERVER = `
const answers = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}',
  'tools/list': '{"tools":[{"name":"raw","inputSchema":{"type":"object"}}]}',
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const sent = /"arguments":(\\{[^}]*\\})/.exec(line)?.[1];
  const result = answers[method] ?? '{"content":[],"structuredContent":' + sent + '}';
  if (id !== undefined) console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}');
});
`;

describe('viaduct call', () => {
  test('takes key=value and --args, and prints text', async () => {
    const config = upstreams({ t: fixture('talkative') });
    expect((await viaduct(['call', 't_echo', 'text=plain words', '--config', config])).stdout).toBe(
      'talkative: plain words\n',
    );
    expect((await ask('call', 't_echo', '--args', '{"text":"json"}')).stdout).toBe('talkative: json\n');
    const json = await ask('call', 't_echo', 'text=x', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ content: [{ type: 'text', text: 'talkative: x' }] });
  });

  test('sends and prints numbers as they are written', async () => {
    const config = upstreams({ u: { command: process.execPath, args: ['-e', RAW_SERVER] } });
    const words = ['id=12345678901234567890', 'one=1.0', 'zero=-0', 'huge=1e400'];
    const { stdout } = await viaduct(['call', 'u_raw', ...words, '--config', config, '--json']);
    expect(stdout).toBe(`{
  "content": [],
  "structuredContent": {
    "id": 12345678901234567890,
    "one": 1.0,
    "zero": -0,
    "huge": 1e400
  }
}
`);
  });

  test('reads values as the schema wants them', async () => {
    const { stdout } = await viaduct([
      'call',
      'everything_get-sum',
      'a=2',
      'b=3',
      '--config',
      path.resolve('config.example.yaml'),
    ]);
    expect(stdout).toContain('5');
  });

  test('shows progress on standard error', async () => {
    const { code, stdout, stderr } = await ask('call', 'f_slow', 'steps=2', 'everyMs=20');
    expect(stderr).toBe('… 1/2\n… 2/2\n');
    expect(stdout).toBe('done\n');
    expect(code).toBe(0);
  });

  test('a tool that fails, one that does not exist, words that are none', async () => {
    const failed = await viaduct(['call', 'f_die', '--config', hostile()]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('process exited (code 7)');
    const unknown = await ask('call', 'echo');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Unknown tool: echo');
    expect(unknown.stderr).toContain('call f_echo or t_echo');
    const words = await ask('call', 'f_echo', 'text');
    expect(words).toMatchObject({ code: 2, stderr: 'viaduct: "text" is not key=value\n' });
    const args = await ask('call', 'f_echo', '--args', '{');
    expect(args.code).toBe(2);
    expect(args.stderr).toContain('--args is not JSON');
  });
});

describe('viaduct sync', () => {
  test('reports each upstream, and fails when one is down', async () => {
    const config = upstreams({ f: fixture('hostile'), bad: { command: 'no-such-command-anywhere' } });
    const { code, stdout } = await viaduct(['sync', '--config', config]);
    expect(stdout).toMatch(/^f\s+10 tools/m);
    expect(stdout).toMatch(/^bad\s+.*not found/m);
    expect(code).toBe(1);
    const near = await ask('pins', 'list', 'ff');
    expect(near.stderr).toContain('There are no pins of an upstream "ff". Known: f, t');
    const one = await ask('sync', 'f', '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({ f: { total: 10 } });
    expect(one.code).toBe(0);
    const none = await ask('sync', 'nobody');
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('There is no upstream "nobody". Known: f, t');
  });
});

describe('viaduct config', () => {
  test('check: a valid one is summed up, an invalid one reported with places and exit code 2', async () => {
    const valid = await viaduct(['config', 'check', '--config', hostile()]);
    expect(valid.code).toBe(0);
    expect(valid.stdout).toContain('is valid');
    const file = path.join(temporaryFolder(), 'bad.yaml');
    writeFileSync(file, 'schemaVersion: 1\nupstreams:\n  a:\n    comand: node\n    args: [1, "${NOT_SET_ANYWHERE}"]\n');
    const invalid = await viaduct(['config', 'check', '--config', file]);
    expect(invalid.code).toBe(2);
    expect(invalid.stderr).toContain('bad.yaml:4:5');
    expect(invalid.stderr).toContain('did you mean "command"?');
    expect(invalid.stderr).toContain('NOT_SET_ANYWHERE');
    writeFileSync(file, 'schemaVersion: 1\nupstream: {}\n');
    for (const command of [['tools'], ['serve'], ['stdio'], ['status']]) {
      expect((await viaduct([...command, '--config', file])).code).toBe(2);
    }
  });

  test('path: the first of the usual places, or where it looked', async () => {
    const folder = temporaryFolder();
    const env = freshHome({ HOME: folder, XDG_CONFIG_HOME: '', VIADUCT_CONFIG: '' });
    const none = await viaduct(['config', 'path'], env, folder);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain(path.join(folder, 'viaduct.yaml'));
    mkdirSync(path.join(folder, '.config/viaduct'), { recursive: true });
    writeFileSync(path.join(folder, '.config/viaduct/config.yaml'), 'schemaVersion: 1\n');
    expect((await viaduct(['config', 'path'], env, folder)).stdout.trim()).toBe(
      path.join(folder, '.config/viaduct/config.yaml'),
    );
    const inFolder = path.join(folder, 'viaduct.yaml');
    writeFileSync(inFolder, 'schemaVersion: 1\n');
    await trustConfig(inFolder, env);
    expect((await viaduct(['config', 'path'], env, folder)).stdout.trim()).toBe(inFolder);
  });

  test('schema: JSON Schema of the file', async () => {
    const schema = JSON.parse((await viaduct(['config', 'schema'])).stdout);
    expect(schema.properties.upstreams.additionalProperties.properties.command.type).toBe('string');
  });

  test('a missing file names itself and what to do', async () => {
    const { code, stderr } = await viaduct(['tools', '--config', '/no/such/file.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such/file.yaml');
  });
});

describe('the command line', () => {
  test('an unknown command or option is refused with a suggestion', async () => {
    const command = await viaduct(['stdoi']);
    expect(command.code).toBe(2);
    expect(command.stderr).toContain('stdio');
    const option = await viaduct(['tools', '--jsn']);
    expect(option.code).toBe(2);
    expect(option.stderr).toContain('--json');
  });

  test('--version and --help', async () => {
    expect((await viaduct(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await viaduct(['--help'])).stdout).toContain('stdio');
  });

  test('a command whose messages nobody reads ends as it would', async () => {
    const { config, env } = await found();
    const run = (...words: string[]) => {
      const child = spawn(process.execPath, [BIN, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      onTestFinished(() => endChild(child));
      child.stderr.destroy();
      return hasEnded(child).then(() => child.exitCode);
    };
    expect(await run('call', 'no_such', '--config', config)).toBe(1);
    expect(await run('tools', '--config', path.join(temporaryFolder(), 'none'))).toBe(2);
  });

  test('codegen prints a module with a schema for each tool', async () => {
    const { code, stdout } = await viaduct([
      'codegen',
      '--config',
      writeConfig({ upstreams: { x: fixture('xcode-bridge') } }),
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("from 'zod'");
    expect(stdout).toMatch(/export const \w*XcodeRead\w* = z/);
  });

  test('secrets of the config are in no log and no status', async () => {
    const secret = 'swordfish-4711';
    const entry = { ...fixture('hostile', '--mode=crash-at-start'), env: { API_TOKEN: '${TEST_SECRET}' } };
    const config = writeConfig({ log: { level: 'trace' }, upstreams: { f: entry } });
    const env = freshHome({ TEST_SECRET: secret });
    const runs = await Promise.all([
      viaduct(['status', '--json', '--config', config], env),
      viaduct(['sync', '--config', config], env),
    ]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(secret);
  });
});
