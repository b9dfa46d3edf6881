import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture, freshHome, temporaryFolder, viaduct } from '../../support/gateway.ts';

/** A user without any config, in an empty folder. */
function newcomer() {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const env = freshHome({ HOME: home, XDG_CONFIG_HOME: '', VIADUCT_CONFIG: '' });
  return { folder, home, run: (...words: string[]) => viaduct(words, env, folder) };
}

describe('viaduct init', () => {
  test('writes a config that is valid, its own user’s, and found', async () => {
    const { folder, run } = newcomer();
    const { code, stdout } = await run('init');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Next:\n {2}.*doctor\n {2}.*serve\n/);
    const file = path.join(folder, 'viaduct.yaml');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('# - gateway');
    expect((await run('config', 'check')).code).toBe(0);
    expect((await run('doctor')).stdout).toMatch(/^ok {4}config /m);
  });

  test('with every # in front of a setting removed it is valid, too', async () => {
    const { folder, run } = newcomer();
    await run('init');
    const file = path.join(folder, 'viaduct.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/^( *)# (- |everything| {2}|server:|log:)/gm, '$1$2'));
    const { code, stdout, stderr } = await run('config', 'check', '--config', file);
    expect(stderr).toBe('');
    expect(stdout).toContain('upstreams  everything');
    expect(stdout).toContain(
      'workflows  gateway, checkpoint, codebase, files, process, live, language, metrics, tasks, rag, ml, webview, ide, xcode-ide',
    );
    expect(code).toBe(0);
  });

  test('replaces no file unless it is told to', async () => {
    const { folder, run } = newcomer();
    const file = path.join(folder, 'mine.yaml');
    writeFileSync(file, 'mine', { mode: 0o644 });
    const refused = await run('init', 'mine.yaml');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const { code, stdout } = await run('init', 'mine.yaml', '--force');
    expect(code).toBe(0);
    expect(stdout).toContain('mine.yaml');
    expect(stdout).toContain(`doctor --config ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('--global writes where every folder finds it', async () => {
    const { home, run } = newcomer();
    expect((await run('init', '--global')).code).toBe(0);
    expect((await run('config', 'path')).stdout.trim()).toBe(path.join(home, '.config/viaduct/config.yaml'));
    expect((await run('init', '--global', 'file.yaml')).code).toBe(2);
  });

  test('mentions the configs of agents, and takes nothing from them', async () => {
    const { folder, home, run } = newcomer();
    const server = { command: 'no-such-command', env: { KEY: 'swordfish-4711' } };
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    write(path.join(home, '.claude.json'), JSON.stringify({ mcpServers: { a: server, b: server } }));
    write(path.join(home, '.codex/config.toml'), '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nK = "v"\n');
    write(path.join(folder, '.vscode/mcp.json'), '{ "servers": {}, } // none');
    write(path.join(folder, '.cursor/mcp.json'), '{');
    const { stdout } = await run('init');
    expect(stdout).toMatch(/Claude Code +\S+\.claude\.json +2 servers/);
    expect(stdout).toMatch(/Codex +\S+config\.toml +1 servers/);
    expect(stdout).toMatch(/VS Code +\S+mcp\.json +0 servers/);
    expect(stdout).toMatch(/Cursor +\S+mcp\.json +not readable/);
    expect(stdout).not.toContain('swordfish');
    expect(readFileSync(path.join(folder, 'viaduct.yaml'), 'utf8')).not.toContain('no-such-command');
  });
});

describe('viaduct init --import', () => {
  const SECRET = 'swordfish-4711';

  function withAgentFile(servers: object) {
    const user = newcomer();
    const agentFile = path.join(user.folder, 'mcp.json');
    writeFileSync(agentFile, `// an agent's\n${JSON.stringify({ mcpServers: servers })}`);
    return { ...user, agentFile, config: path.join(user.folder, 'viaduct.yaml') };
  }

  const shaIn = (stdout: string): string => /SHA-256 of all this: ([0-9a-f]{64})/.exec(stdout)![1]!;

  test('shows each command in full and writes nothing; takes it over once that is accepted', async () => {
    const { run, config } = withAgentFile({
      good: { ...fixture('hostile'), env: { API_TOKEN: SECRET } },
      remote: { type: 'pigeon', url: 'https://example.com/sse' },
    });
    const shown = await run('init', '--import', 'mcp.json');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`runs  ${process.execPath} ${fixture('hostile').args[0]}`);
    expect(shown.stdout).toContain('API_TOKEN=******');
    expect(existsSync(config)).toBe(false);
    const accepted = await run('init', '--import', 'mcp.json', '--accept', shaIn(shown.stdout));
    expect(accepted.code).toBe(0);
    expect(accepted.stdout).toContain('with 1 of 2 servers');
    expect(shown.stdout + accepted.stdout).not.toContain(SECRET);
    expect(readFileSync(config, 'utf8')).toContain(SECRET);
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await run('config', 'check')).stdout).toContain('upstreams  good');
    expect((await run('call', 'good_echo', 'text=it works')).stdout).toBe('it works\n');
  });

  test('what was changed after it was shown is not taken over, and nothing of it is started', async () => {
    const { run, agentFile, config, folder } = withAgentFile({ a: { command: 'node', args: ['harmless.js'] } });
    const sha = shaIn((await run('init', '--import', 'mcp.json')).stdout);
    const mark = path.join(folder, 'started');
    writeFileSync(agentFile, JSON.stringify({ mcpServers: { a: { command: 'sh', args: ['-c', `touch ${mark}`] } } }));
    const { code, stdout, stderr } = await run('init', '--import', 'mcp.json', '--accept', sha);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was written');
    expect(stdout).toContain(`sh -c "touch ${mark}"`);
    expect(existsSync(config) || existsSync(mark)).toBe(false);
  });

  test('a file that has no servers, or is none, is told', async () => {
    const { run, agentFile } = withAgentFile({});
    writeFileSync(agentFile, `key = "${SECRET}"`);
    const { code, stderr } = await run('init', '--import', 'mcp.json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/mcp\.json:1:1 {2}it is not JSON/);
    expect(stderr).not.toContain(SECRET);
    expect((await run('init', '--import', 'none.json')).code).toBe(2);
    expect((await run('init', '--accept', '0')).code).toBe(2);
  });
});
