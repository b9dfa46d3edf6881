import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { certificateOf } from '../../support/auth/certificates.ts';
import { trustConfig } from '../../support/auth/trusted.ts';
import { fixture, temporaryFolder, viaduct } from '../../support/gateway.ts';

const SECRET = 'swordfish-4711';

/** A user in a project, with files at these paths; the project's config is trusted. */
async function newUser(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    VIADUCT_HOME: path.join(home, '.viaduct'),
    VIADUCT_GATEWAY: 'private',
  };
  const at = (file: string): string => file.replace(/^~/, home).replace(/^\./, folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  if ('./viaduct.yaml' in files) await trustConfig(at('./viaduct.yaml'), env);
  return {
    folder,
    env,
    at,
    read: (file: string) => readFileSync(at(file), 'utf8'),
    run: (...words: string[]) => viaduct(words, env, folder),
  };
}

const CONFIG = '# mine\nschemaVersion: 1\nupstreams:\n  first: # stays\n    command: first\n';

describe('viaduct import', () => {
  const agentFile = JSON.stringify({
    mcpServers: { good: { ...fixture('hostile'), env: { API_TOKEN: SECRET }, autoApprove: ['echo'] } },
  });

  test('shows what would change, and writes it when it is told to', async () => {
    const { run, read, at, env } = await newUser({ './viaduct.yaml': CONFIG, '~/.cursor/mcp.json': agentFile });
    const shown = await run('import', 'cursor');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('+  good:');
    expect(shown.stdout).toContain('+  # not used here: "autoApprove": ["echo"]');
    expect(shown.stdout).toContain(`+      API_TOKEN: \${GOOD_API_TOKEN}`);
    expect(shown.stdout).not.toContain(SECRET);
    expect(read('./viaduct.yaml')).toBe(CONFIG);

    chmodSync(at('./viaduct.yaml'), 0o640);
    const written = await run('import', 'cursor', '--write');
    expect(written.code).toBe(0);
    expect(written.stdout).toContain('good: set GOOD_API_TOKEN to the secret in env.API_TOKEN');
    expect(written.stdout).not.toContain(SECRET);
    expect(read('./viaduct.yaml').startsWith(CONFIG)).toBe(true);
    expect(statSync(at('./viaduct.yaml')).mode & 0o777).toBe(0o640);
    const [backup] = readdirSync(at('~/.viaduct/backups'));
    expect(read(`~/.viaduct/backups/${backup}`)).toBe(CONFIG);
    expect(statSync(at(`~/.viaduct/backups/${backup}`)).mode & 0o777).toBe(0o600);

    writeFileSync(
      at('./viaduct.yaml'),
      read('./viaduct.yaml')
        .replace('    disabled: true\n', '')
        .replace(/ {2}first[\s\S]*first\n/, ''),
    );
    env.GOOD_API_TOKEN = SECRET;
    expect((await run('trust', '--yes')).code).toBe(0);
    expect((await run('call', 'good_echo', 'text=it works')).stdout).toBe('it works\n');
  });

  test('reads user and project, and says the same to programs', async () => {
    const { run, at } = await newUser({
      '~/.codex/config.toml': '[mcp_servers.user]\ncommand = "u"\n',
      './.codex/config.toml': '[mcp_servers.user]\ncommand = "p"\n[mcp_servers.odd]\ncommand = 5\n',
    });
    const { code, stdout } = await run('import', 'codex', '--json', '--write');
    expect(code).toBe(1); // one of them could not be read
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ config: at('./viaduct.yaml'), written: true });
    expect(report.servers.map((server: any) => [server.name, server.key, server.outcome])).toEqual([
      ['user', 'user', 'added'],
      ['user', 'user-2', 'added'],
      ['odd', undefined, 'left out'],
    ]);
    expect((await run('config', 'check')).stdout).toContain('upstreams  user, user-2');
    expect(statSync(at('./viaduct.yaml')).mode & 0o777).toBe(0o600);
  });

  test('what cannot be understood is told with its place, without its values, and nothing is written', async () => {
    const broken = `{\n  "mcpServers": { "a": { "env": { "K": "${SECRET}" } }\n`;
    const { run, read, at } = await newUser({ './viaduct.yaml': CONFIG, './.mcp.json': broken });
    const json = await run('import', 'claude-code', '--write');
    expect(json.code).toBe(1);
    expect(json.stderr).toContain(`${at('./.mcp.json')}:3:1  it is not JSON: it ends too early`);
    writeFileSync(at('./c.toml'), `[mcp_servers.a]\nenv = { K = "${SECRET}", K = 1 }\n`);
    const toml = await run('import', 'codex', '--file', 'c.toml');
    expect(toml.code).toBe(1);
    expect(toml.stderr).toMatch(/c\.toml:2:\d+ {2}it is not TOML/);
    expect(json.stderr + toml.stderr).not.toContain(SECRET);
    expect((await run('import', 'codex', '--file', 'none.toml')).stderr).toContain('there is no such file');
    expect((await run('import', 'emacs')).code).toBe(2);
    expect((await run('import', 'zed')).stderr).toContain('has no list of servers here');
    expect(read('./viaduct.yaml')).toBe(CONFIG);
    writeFileSync(at('./viaduct.yaml'), 'upstreams: [');
    expect((await run('import', 'codex', '--write', '--config', 'viaduct.yaml')).stderr).toContain('viaduct.yaml:1:');
    expect(read('./viaduct.yaml')).toBe('upstreams: [');
  });
});

describe('viaduct export', () => {
  const ZED =
    '// mine\n{\n  "context_servers": {\n    "db": { "command": "db", "env": { "PASSWORD": "swordfish-4711" } }, // keep\n  },\n}';

  test('shows the difference without secrets, writes it into the file a link leads to, and undoes it', async () => {
    const { run, read, at } = await newUser({ '~/dotfiles/zed.json': ZED });
    mkdirSync(at('~/.config/zed'), { recursive: true });
    symlinkSync('../../dotfiles/zed.json', at('~/.config/zed/settings.json'));
    chmodSync(at('~/dotfiles/zed.json'), 0o664);
    const shown = await run('export', 'zed');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('+    "viaduct": {');
    expect(shown.stdout).not.toContain(SECRET);
    expect(read('~/dotfiles/zed.json')).toBe(ZED);

    expect((await run('export', 'zed', '--write')).code).toBe(0);
    expect(read('~/dotfiles/zed.json')).toContain('// keep');
    expect(read('~/dotfiles/zed.json')).toContain('"stdio"');
    expect((await run('export', 'zed', '--write')).stdout).toContain('needs no change');
    expect(lstatSync(at('~/.config/zed/settings.json')).isSymbolicLink()).toBe(true);
    expect(statSync(at('~/dotfiles/zed.json')).mode & 0o777).toBe(0o664);

    expect((await run('export', 'zed', '--undo')).stdout).toContain('-    "viaduct": {');
    expect((await run('export', 'zed', '--undo', '--write')).code).toBe(0);
    expect(read('~/dotfiles/zed.json')).toBe(ZED);
    expect(readdirSync(at('~/.viaduct/backups'))).toEqual([]);
  });

  test('a file that was not there goes again', async () => {
    const { run, at, env } = await newUser({ './viaduct.yaml': `${CONFIG}profiles: { work: {} }\n` });
    env.CODEX_HOME = at('~/codex');
    await run('export', 'codex', '--write', '--profile', 'work');
    expect(readFileSync(at('~/codex/config.toml'), 'utf8')).toContain('"--profile", "work"]');
    await run('export', 'codex', '--undo', '--write');
    expect(existsSync(at('~/codex/config.toml'))).toBe(false);
    expect((await run('export', 'codex', '--undo', '--write')).stdout).toContain('needs no change');
  });

  test('the servers that the config has are taken out with --replace; others stay', async () => {
    const cursor = JSON.stringify({ mcpServers: { first: { command: 'first' }, new: { command: 'new' } } }, null, 2);
    const { run, read, at } = await newUser({ './viaduct.yaml': CONFIG, './.cursor/mcp.json': cursor });
    const hint = await run('export', 'cursor', '--scope', 'project');
    expect(hint.stdout).toContain('so they run twice: first; --replace removes them');
    const { stdout } = await run('export', 'cursor', '--scope', 'project', '--replace', '--write');
    expect(stdout).toContain('new stays: the config does not have it');
    expect(Object.keys(JSON.parse(read('./.cursor/mcp.json')).mcpServers)).toEqual(['new', 'viaduct']);
    // Changed since: what was taken out comes back, and the change stays.
    const changed = JSON.parse(read('./.cursor/mcp.json'));
    changed.mcpServers.later = { command: 'later' };
    writeFileSync(at('./.cursor/mcp.json'), JSON.stringify(changed));
    await run('export', 'cursor', '--scope', 'project', '--undo', '--write');
    expect(JSON.parse(read('./.cursor/mcp.json')).mcpServers).toEqual({
      new: { command: 'new' },
      later: { command: 'later' },
      first: { command: 'first' },
    });
  });

  test('a file that is broken, or has a server of that name, is left alone', async () => {
    const foreign = '{"servers":{"viaduct":{"command":"other"}}}';
    const { run, read } = await newUser({
      './.vscode/mcp.json': foreign,
      '~/.codeium/windsurf/mcp_config.json': '{\n  nope',
      '~/.codex/config.toml': 'a = 1\na = 2\n',
    });
    const taken = await run('export', 'vscode', '--scope', 'project', '--write');
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.stderr).toContain('it has a server "viaduct" already');
    expect(read('./.vscode/mcp.json')).toBe(foreign);
    expect((await run('export', 'windsurf', '--write')).stderr).toContain('line 2, column 3');
    expect(read('~/.codeium/windsurf/mcp_config.json')).toBe('{\n  nope');
    expect((await run('export', 'codex', '--write')).stderr).toContain('it is not TOML (line 2');
    expect(read('~/.codex/config.toml')).toBe('a = 1\na = 2\n');
    expect((await run('export', 'windsurf', '--scope', 'project')).stderr).toContain('one list of servers');
  });

  test('a profile that there is not is no part of an entry', async () => {
    const { run, at } = await newUser({ './viaduct.yaml': `${CONFIG}profiles: { work: {} }\n` });
    for (const name of ['../x', 'wrok']) {
      const refused = await run('export', 'cursor', '--write', '--profile', name);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`there is no profile "${name}"`);
    }
    expect(existsSync(at('~/.cursor/mcp.json'))).toBe(false);
  });

  test.each([
    ['0.0.0.0', 'https://127.0.0.1:4000/mcp'],
    ['::', 'https://127.0.0.1:4000/mcp'],
    ['box.example', 'https://box.example:4000/mcp'],
  ])('by the url of a gateway on %s with TLS, twice if need be', async (host, url) => {
    const server = `host: "${host}", port: 4000, tokens: [], tls: { cert: c.pem, key: k.pem }`;
    const { cert, key } = certificateOf('it', { hosts: ['box.example'] });
    const config = `schemaVersion: 1\nserver: { ${server} }\n`;
    const { run } = await newUser({ './viaduct.yaml': config, './c.pem': cert, './k.pem': key });
    const write = async () => JSON.parse((await run('export', 'cursor', '--http', '--write', '--json')).stdout);
    const notes = expect.arrayContaining([expect.stringContaining('Authorization: Bearer')]);
    expect(await write()).toMatchObject({ written: true, entry: { url }, notes });
    expect(await write()).toMatchObject({ written: false });
  });

  test('by url where the agent can reach one', async () => {
    const text = 'schemaVersion: 1\nserver: { port: 4000 }\nprofiles: { work: {} }\n';
    const { run } = await newUser({ './viaduct.yaml': text });
    const json = await run('export', 'windsurf', '--http', '--profile', 'work', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ written: false, entry: { url: 'http://127.0.0.1:4000/mcp/work' } });
    const again = await run('export', 'windsurf', '--http', '--write', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ written: true, entry: { url: 'http://127.0.0.1:4000/mcp' } });
    expect(JSON.parse((await run('export', 'windsurf', '--http', '--write', '--json')).stdout).written).toBe(false);
    const refused = await run('export', 'claude-desktop', '--http');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('Claude Desktop only starts programs');
  });

  test('the url is that of HTTPS where the gateway speaks that, and who needs a token is told so', async () => {
    const tls = 'tls: { cert: viaduct.yaml, key: viaduct.yaml }';
    const server = `server: { host: 0.0.0.0, port: 4000, tokens: [], ${tls} }`;
    const { run } = await newUser({ './viaduct.yaml': `schemaVersion: 1\n${server}\n` });
    const { stdout } = await run('export', 'windsurf', '--http', '--json', '--write');
    expect(JSON.parse(stdout)).toMatchObject({
      written: true,
      entry: { url: 'https://127.0.0.1:4000/mcp' },
      notes: expect.arrayContaining([expect.stringContaining('needs a token')]),
    });
    expect((await run('export', 'windsurf', '--http', '--write')).stdout).toContain('needs no change');
  });
});
