import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { type RawClient, spawnClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
  connectStdio,
  fixture,
  freshHome,
  linesOf,
  openServe,
  openStdio,
  startServe,
  startStdio,
  statusOf,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';
import { endChild, hasEnded } from '../../support/processes.ts';

const ALICE = tokenOf('alice');
const UPSTREAMS = { t: fixture('talkative'), s: fixture('shapes') };

const configWith = (more: object = {}) =>
  writeConfig({ enabledWorkflows: ['gateway'], upstreams: UPSTREAMS, lists: { graceMs: 20_000 }, ...more });

const fileOf = (env: NodeJS.ProcessEnv) => path.join(env.VIADUCT_HOME!, 'audit', 'audit.jsonl');
const entriesIn = (file: string): any[] => linesOf(file).map((line) => JSON.parse(line));

/** Who called what, and what became of it. */
const shortly = ({ client, method, tool, provider, level, outcome, code }: any) =>
  [client, method, tool, provider ?? '-', level, outcome, code ?? '-'].join(' ');

async function shown(words: readonly string[], config: string, env: NodeJS.ProcessEnv): Promise<any[]> {
  const { stdout } = await viaduct(['audit', '--json', ...words, '--config', config], env);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function leave(client: RawClient): Promise<void> {
  client.end();
  await expect.poll(() => client.closed).toBe(true);
}

/** A call of each outcome, one after the other. */
async function callAll(client: RawClient): Promise<void> {
  await client.call('t_echo', { text: 'hello' });
  await client.call('viaduct_status');
  await client.call('s_shape', { name: 'tool failure' });
  await client.call('s_shape', { name: 'no such shape' });
  await client.call('nonesuch');
  await client.request('prompts/get', { name: 't_greet', arguments: { who: 'you' } });
  await client.request('resources/read', { uri: 'talkative://one' });
  await client.request('resources/read', { uri: 'nowhere://x' });
  const from = client.messages.length;
  client.write('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"t_wait","arguments":{"ms":20000}}}');
  client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
  await client.request('ping');
  expect(client.messages.slice(from).some(({ value }) => value.id === 'w')).toBe(false);
}

const ALL = (client: string) => [
  `${client} tools/call t_echo t security ok -`,
  `${client} tools/call viaduct_status gateway info ok -`,
  `${client} tools/call s_shape s security tool-error -`,
  `${client} tools/call s_shape s security error -32602`,
  `${client} tools/call nonesuch - security refused UNKNOWN_TOOL`,
  `${client} prompts/get t_greet t info ok -`,
  `${client} resources/read talkative://one t info ok -`,
  `${client} resources/read nowhere://x t info error -32002`,
  `${client} tools/call t_wait t security cancelled -`,
];

describe('the audit of viaduct stdio', () => {
  test('has a line for a call of each outcome, in the file and in the database', async () => {
    const env = freshHome();
    const config = configWith();
    const { client, child } = startStdio(config, env);
    await client.initialize();
    await client.toolNames();
    await callAll(client);
    client.end();
    await hasEnded(child);

    const lines = entriesIn(fileOf(env));
    expect(lines.map(shortly)).toEqual(ALL('raw'));
    expect(new Set(lines.map(({ session }) => session)).size).toBe(1);
    for (const { at, durationMs, session } of lines) {
      expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(120_000);
      expect(durationMs).toBeGreaterThanOrEqual(0);
      expect(session).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await shown([], config, env)).toEqual(lines);
  });

  test('is written at once, while the gateway runs', async () => {
    const env = freshHome();
    const client = await connectStdio(configWith(), { env });
    await client.toolNames();
    await client.call('t_echo', { text: 'a' });
    await expect.poll(() => entriesIn(fileOf(env)).map(({ tool }) => tool)).toEqual(['t_echo']);
  });

  test('opens neither file nor database where there were no calls', async () => {
    const env = freshHome();
    const client = await connectStdio(configWith(), { env });
    await client.toolNames();
    await leave(client);
    expect(readdirSync(env.VIADUCT_HOME!)).not.toContain('audit');
    expect(readdirSync(env.VIADUCT_HOME!)).not.toContain('viaduct.db');
  });

  test('is not kept where it is off', async () => {
    const env = freshHome();
    const client = await connectStdio(configWith({ audit: { enabled: false } }), { env });
    await client.toolNames();
    await client.call('t_echo', { text: 'a' });
    await leave(client);
    expect(readdirSync(env.VIADUCT_HOME!)).not.toContain('audit');
  });
});

describe('the audit of viaduct serve', () => {
  test('says who has called over HTTP, in either era', async () => {
    const env = freshHome();
    const config = configWith({ server: { tokens: [ALICE.entry] } });
    const serving = await openServe(config, env);
    const session = await HttpSession.open(serving.url, {}, '2025-11-25', ALICE.headers);
    await session.toolNames();
    await session.callText('t_echo', { text: 'a' });
    const modern = new ModernHttpClient(serving.url, { name: 'newer' });
    await modern.call('viaduct_status', {}, { headers: ALICE.headers });
    const waiting = modern.open(
      'tools/call',
      { name: 't_wait', arguments: { ms: 20_000 } },
      { headers: ALICE.headers },
    );
    await expect.poll(async () => (await status(config, env)).openCalls).toBe(1);
    waiting.leave();
    const lines = () => entriesIn(fileOf(env)).map((entry) => `${entry.principal} ${shortly(entry)}`);
    await expect
      .poll(lines)
      .toEqual([
        'alice http tools/call t_echo t security ok -',
        'alice newer tools/call viaduct_status gateway info ok -',
        'alice newer tools/call t_wait t security cancelled -',
      ]);
    await expect.poll(async () => (await shown(['--session', session.id], config, env)).length).toBe(1);
  });

  test('is kept by other rules as soon as the config has them', async () => {
    const env = freshHome();
    const config = configWith();
    const serving = await openServe(config, env);
    const session = await HttpSession.open(serving.url);
    await session.toolNames();
    await session.callText('t_echo', { text: 'a' });
    await expect.poll(() => entriesIn(fileOf(env)).length).toBe(1);
    const file = path.join(temporaryFolder(), 'deep', 'calls.jsonl');
    const changed = { ...JSON.parse(readFileSync(config, 'utf8')), audit: { file, arguments: 'redacted' } };
    writeFileSync(config, JSON.stringify(changed));
    await expect
      .poll(async () => {
        await session.callText('t_echo', { text: 'b' });
        return entriesIn(file).at(0)?.arguments;
      })
      .toBe('{"text":"b"}');
  });
});

describe('the audit under load', () => {
  const AT_ONCE = 16;

  /** Calls a tool so many times, some at a time; ends early when the gateway is gone. */
  async function callOften(client: RawClient, count: number, onAnswer: () => void): Promise<void> {
    let left = count;
    const caller = async (): Promise<void> => {
      while (left-- > 0 && !client.closed) {
        await client.call('t_echo', { text: 'a' });
        onAnswer();
      }
    };
    const unlessClosed = (error: unknown): void => {
      if (!client.closed) throw error;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, () => caller().catch(unlessClosed)));
  }

  test('has every answered call in its files, and every line in the database, though a gateway is killed', {
    timeout: 600_000,
  }, async () => {
    const env = freshHome();
    const config = configWith({ audit: { maxMegabytes: 1, files: 3 } });
    const gateways = [startStdio(config, env), startStdio(config, env)] as const;
    for (const { client } of gateways) {
      await client.initialize();
      await client.toolNames();
    }
    let answered = 0;
    const [killed, other] = gateways;
    await Promise.all([
      callOften(killed.client, 15_000, () => {
        answered += 1;
        if (answered >= 10_000) killed.child.kill('SIGKILL');
      }),
      callOften(other.client, 15_000, () => {
        answered += 1;
      }),
    ]);
    await endChild(other.child);
    await hasEnded(killed.child);
    const shownLines = await shown([], config, env);
    const folder = path.dirname(fileOf(env));
    const written = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => linesOf(path.join(folder, name)));
    expect(shownLines.length).toBeGreaterThanOrEqual(answered);
    const found = new Set(shownLines.map((entry) => JSON.stringify(entry)));
    expect(written.filter((line) => !found.has(line))).toEqual([]);
    expect(readdirSync(folder).length).toBeLessThanOrEqual(12);
  });
});

async function status(config: string, env: NodeJS.ProcessEnv): Promise<{ openCalls: number }> {
  const { sessions } = (await statusOf(config, env)) as { sessions: { openCalls: number }[] };
  return { openCalls: sessions.reduce((sum, { openCalls }) => sum + openCalls, 0) };
}

describe('no secret', () => {
  const MARKER = 'marker-7f3a-plain-text';
  const KEY = `ghp_${'q7Zr'.repeat(9)}`;

  test.each(['digest', 'redacted', 'off'])('reaches file or database: arguments: %s', async (form) => {
    const env = freshHome({ MARKER });
    const config = configWith({
      audit: { arguments: form },
      upstreams: { t: { ...fixture('talkative'), env: { API_TOKEN: `\${MARKER}` } }, s: fixture('shapes') },
    });
    const serving = await startServe(config, env);
    const session = await HttpSession.open(serving.url, {}, '2025-11-25', { 'x-api-key': MARKER });
    await session.toolNames();
    const args = { text: `${MARKER} ${KEY}`, password: 'hunter2-and-more', nested: { [MARKER]: [KEY] } };
    expect(await session.callText('t_echo', args)).toContain(MARKER);
    await session.post(session.request('tools/call', { name: `none ${MARKER}`, arguments: args }));
    await session.post(session.request('resources/read', { uri: `none://h/${MARKER}?key=${KEY}` }));
    await endChild(serving.child);

    expect(entriesIn(fileOf(env))).toHaveLength(3);
    const kept = ['audit/audit.jsonl', 'viaduct.db', 'viaduct.db-wal']
      .map((name) => path.join(env.VIADUCT_HOME!, name))
      .flatMap((file) => linesOf(file))
      .join('\n');
    expect(kept).toContain('t_echo');
    for (const secret of [MARKER, KEY, 'hunter2-and-more']) expect(kept).not.toContain(secret);
    expect(kept.includes('[redacted:password]')).toBe(form === 'redacted');
  });
});

describe('viaduct audit', () => {
  test('shows what is asked for, to people and to programs', async () => {
    const env = freshHome();
    const config = configWith();
    const client = await openStdio(config, env);
    await client.initialize({}, '2025-11-25', 'evil\u001b[31m\u202e');
    await client.toolNames();
    await callAll(client);
    await leave(client);

    const tools = async (...words: string[]) => (await shown(words, config, env)).map(({ tool }) => tool);
    expect(await tools('--tool', 's_*')).toEqual(['s_shape', 's_shape']);
    expect(await tools('--failed', '--level', 'info')).toEqual(['nowhere://x']);
    expect(await tools('--since', '7d', '--level', 'info')).toHaveLength(4);
    expect(await tools('--session', 'no-such-session')).toEqual([]);

    const { stdout } = await viaduct(['audit', '--config', config], env);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(9);
    expect(rows[3]).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}security {2}error -32602 +\d+ ms +s_shape +evil +[0-9a-f]{8}$/,
    );
  });

  test('has what was called by hand, too, under the name of the command', async () => {
    const env = freshHome();
    const config = configWith();
    expect(await viaduct(['call', 't_echo', 'text=a', '--config', config], env)).toMatchObject({ code: 0 });
    expect((await shown([], config, env)).map(shortly)).toEqual(['viaduct call tools/call t_echo t security ok -']);
  });

  test('goes on with what comes, until it is stopped', async () => {
    const env = freshHome();
    const config = configWith();
    const serving = await openServe(config, env);
    const session = await HttpSession.open(serving.url);
    await session.toolNames();
    await session.callText('t_echo', { text: 'a' });
    const words = [BIN, 'audit', '--follow', '--json', '--config', config];
    const { client, child } = spawnClient(process.execPath, words, env);
    onTestFinished(() => endChild(child));
    await client.waitFor(({ value }) => value.tool === 't_echo');
    await session.callText('t_count');
    await client.waitFor(({ value }) => value.tool === 't_count');
    expect(client.messages.map(({ value }) => value.tool)).toEqual(['t_echo', 't_count']);
  });

  test('ends when nobody reads what it prints', async () => {
    const env = freshHome();
    const config = configWith();
    const serving = await openServe(config, env);
    const session = await HttpSession.open(serving.url);
    await session.toolNames();
    const child = spawn(process.execPath, [BIN, 'audit', '--follow', '--config', config], { env, stdio: 'pipe' });
    onTestFinished(() => endChild(child));
    const errors = text(child.stderr);
    const exited = once(child, 'exit');
    child.stdout.destroy();
    await session.callText('t_echo', { text: 'a' });
    expect(await exited).toEqual([0, null]);
    expect(await errors).toBe('');
  });

  test.each([
    [['--since', 'yesterday'], /7d, 24h, 30m/],
    [['--since', '0h'], /7d, 24h, 30m/],
    [['--level', 'debug'], /info, security/],
  ])('%s is an error that says what is understood', async (words, message) => {
    const { code, stderr } = await viaduct(['audit', ...words, '--config', configWith()]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('says so where there is nothing', async () => {
    const nothing = await viaduct(['audit', '--config', configWith()]);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(nothing.stderr).toMatch(/no such calls in that time/);
    const off = await viaduct(['audit', '--config', configWith({ audit: { enabled: false } })]);
    expect(off.stderr).toMatch(/audit\.enabled is false/);
  });
});
