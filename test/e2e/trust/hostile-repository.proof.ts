import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnClient } from '../../support/clients/raw-client.ts';
import { BIN, fixture } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';
import { atEnd } from '../../support/shared.ts';
import { type Visitor, visitor } from './places.ts';

const NOTICE = /viaduct\.yaml is not used: you have not trusted it.*viaduct trust /;

/** A PostgreSQL server of somebody else, which counts who comes. */
async function foreignDatabase(): Promise<{ readonly url: string; readonly visits: () => number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `postgres://thief@127.0.0.1:${port}/data`, visits: () => visits };
}

/** Runs a command with this on its standard input. */
async function runWith(input: object, words: readonly string[], { env, folder }: Visitor): Promise<string> {
  const child = spawn(process.execPath, [BIN, ...words], { env, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(JSON.stringify(input));
  await once(child, 'close');
  return stderr;
}

describe('a cloned repository with a config of its own', () => {
  test('commands that ask a gateway run none of its commands, and use the config of the user', async () => {
    const { run, plant, ranCommand } = visitor();
    plant();
    const commands = [['tools'], ['status'], ['why', 'viaduct_why'], ['call', 'viaduct_status'], ['sync'], ['codegen']];
    const results = await Promise.all(commands.map((words) => run(...words)));
    expect(ranCommand()).toBe(false);
    for (const [index, { code, stdout, stderr }] of results.entries()) {
      const name = commands[index]!.join(' ');
      expect(code, name).toBe(0);
      expect(stdout, name).not.toContain('evil');
      expect(stderr, name).toMatch(NOTICE);
      expect(stderr.match(/is not used/g), name).toHaveLength(1);
    }
    expect(results[0]!.stdout).toContain('viaduct_status');
    expect(results[1]!.stdout).toMatch(/note: .*viaduct\.yaml is not used/);
  });

  test('nor does ./.viaduct/config.yaml', async () => {
    const { run, plant, ranCommand } = visitor();
    plant({}, '.viaduct/config.yaml');
    const { stdout, stderr } = await run('tools');
    expect(ranCommand()).toBe(false);
    expect(stdout).toContain('viaduct_status');
    expect(stderr).toMatch(/\.viaduct\/config\.yaml is not used/);
  });

  test('`viaduct stdio`, as the README has agents start it, serves the tools of the user', async () => {
    const { env, folder, plant, ranCommand } = visitor();
    plant();
    const { child, client, stderr } = spawnClient(process.execPath, [BIN, 'stdio'], env, folder);
    atEnd(() => endChild(child));
    await client.initialize();
    expect(await client.toolNames()).toEqual(['viaduct_status', 'viaduct_why']);
    expect(ranCommand()).toBe(false);
    expect(stderr()).toMatch(NOTICE);
  });

  test('`viaduct serve` serves the tools of the user', async () => {
    const { env, folder, plant, ranCommand, ownConfig } = visitor();
    plant();
    const child = spawn(process.execPath, [BIN, 'serve', '--port', '0'], { env, cwd: folder });
    atEnd(() => endChild(child));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    await expect.poll(() => output).toContain('Stop with Ctrl-C');
    expect(ranCommand()).toBe(false);
    expect(output).toContain(ownConfig);
    expect(output).toMatch(NOTICE);
  });

  test('without a config of the user nothing runs, and the error says what to do', async () => {
    const { run, plant, ranCommand } = visitor({ own: undefined });
    const config = plant();
    const commands = [['stdio'], ['serve', '--port', '0'], ['tools'], ['config', 'check'], ['import', 'cursor']];
    for (const { code, stderr } of await Promise.all(commands.map((words) => run(...words)))) {
      expect(code).toBe(2);
      expect(stderr).toContain(config);
      expect(stderr).toMatch(/trusted[\s\S]*viaduct trust /);
    }
    expect(ranCommand()).toBe(false);
  });

  test('checkpoints do not go to its database', async () => {
    const place = visitor({ own: { enabledWorkflows: ['checkpoint', 'metrics'] } });
    const { url, visits } = await foreignDatabase();
    place.plant({ enabledWorkflows: ['checkpoint', 'metrics', 'files'], database: url, upstreams: {} });
    const transcript = path.join(place.folder, 'session.jsonl');
    writeFileSync(transcript, `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'mine' } })}\n`);
    const input = { cwd: place.folder, transcript_path: transcript, hook_event_name: 'PreCompact' };
    expect(await runWith(input, ['checkpoint', 'hook', 'save'], place)).toMatch(NOTICE);
    const others = [
      ['checkpoint', 'list'],
      ['checkpoint', 'show'],
      ['checkpoint', 'prune'],
      ['checkpoint', 'import', place.home],
      ['checkpoint', 'capture', 'claude-code'],
      ['metrics'],
      ['audit'],
      ['undo', '--list'],
    ];
    const results = await Promise.all(others.map((words) => place.run(...words)));
    for (const [index, { stderr }] of results.entries()) expect(stderr, others[index]!.join(' ')).toMatch(NOTICE);
    expect(results[0]!.stdout).toContain('revision 1');
    expect(await runWith(input, ['checkpoint', 'hook', 'load'], place)).toMatch(NOTICE);
    expect(visits()).toBe(0);
  });

  test('what reads or changes a config takes the one of the user', async () => {
    const { run, plant, ownConfig, ranCommand } = visitor();
    const planted = plant();
    const before = readFileSync(planted, 'utf8');
    const created = await run('token', 'create', 'laptop', '--write');
    expect(created.stderr).toMatch(NOTICE);
    expect(readFileSync(ownConfig, 'utf8')).toContain('laptop');
    const commands = [
      ['config', 'path'],
      ['config', 'check'],
      ['token', 'list'],
      ['pins', 'list'],
      ['auth', 'status'],
    ];
    const results = await Promise.all(commands.map((words) => run(...words)));
    for (const { stderr } of results) expect(stderr).toMatch(NOTICE);
    const [configPath, check, list] = results.map(({ stdout }) => stdout);
    expect(configPath).toBe(`${ownConfig}\n`);
    expect(check).toContain(`${ownConfig} is valid`);
    expect(list).toContain('laptop');
    expect((await run('token', 'revoke', 'laptop')).stderr).toMatch(NOTICE);
    expect((await run('config', 'schema')).code).toBe(0);
    expect(readFileSync(planted, 'utf8')).toBe(before);
    expect(ranCommand()).toBe(false);
  });

  test('import adds to the config of the user, and export and prime name it', async () => {
    const { run, plant, ownConfig, home, ranCommand } = visitor({ own: { enabledWorkflows: ['checkpoint'] } });
    const planted = plant();
    const before = readFileSync(planted, 'utf8');
    mkdirSync(path.join(home, '.cursor'));
    writeFileSync(path.join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { added: fixture('hostile') } }));
    const imported = await run('import', 'cursor', '--write');
    expect(imported.stdout).toContain(`${ownConfig} is written`);
    expect(imported.stderr).toMatch(NOTICE);
    expect(readFileSync(planted, 'utf8')).toBe(before);
    const exported = await run('export', 'cursor', '--json');
    expect(JSON.parse(exported.stdout).entry.args).toEqual(expect.arrayContaining(['--config', ownConfig]));
    expect(JSON.parse(exported.stdout).notes).toContainEqual(expect.stringMatching(NOTICE));
    const primed = await run('checkpoint', 'prime', 'claude-code', '--home', '--hooks', '--json');
    expect(JSON.parse(primed.stdout).entry.args).toEqual(expect.arrayContaining(['--config', ownConfig]));
    expect(readFileSync(path.join(home, '.claude/settings.json'), 'utf8')).toContain(`save --config ${ownConfig}`);
    expect(ranCommand()).toBe(false);
  });

  test('status and doctor say in JSON that it is not used, and what to do; doctor runs none of its commands', async () => {
    const { run, plant, ownConfig, ranCommand } = visitor();
    const planted = plant();
    const [status, doctor] = (await Promise.all([run('status', '--json'), run('doctor', '--json')])).map(({ stdout }) =>
      JSON.parse(stdout),
    );
    expect(status.config).toBe(ownConfig);
    expect(status.configNotices).toEqual([
      {
        path: planted,
        reason: 'untrusted',
        message: expect.stringContaining('not trusted'),
        fix: `viaduct trust ${path.dirname(planted)}`,
      },
    ]);
    expect(doctor.checks).toContainEqual(
      expect.objectContaining({ name: 'folder config', mark: 'warn', fix: expect.stringContaining('viaduct trust') }),
    );
    expect(JSON.stringify(doctor)).not.toContain('evil');
    expect(ranCommand()).toBe(false);
  });
});
