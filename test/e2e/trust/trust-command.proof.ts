import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, fixture } from '../../support/gateway.ts';
import { type Visitor, visitor } from './places.ts';

const shaIn = (stdout: string): string => /--accept ([0-9a-f]{64})/.exec(stdout)![1]!;

const configOf = async ({ run }: Visitor): Promise<string> => (await run('config', 'path')).stdout.trim();

/** Runs `viaduct trust` on a terminal, and types an answer. */
async function onTerminal(answer: string, { env, folder }: Visitor): Promise<string> {
  const command = `'${process.execPath}' '${BIN}' trust`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const isAsked = output.includes('[y/N]');
    output += chunk.toString();
    if (!isAsked && output.includes('[y/N]')) child.stdin.write(answer);
  });
  await once(child, 'close');
  return output;
}

describe('viaduct trust', () => {
  test('shows the config in full, runs nothing, and takes the SHA-256 of what it has shown', async () => {
    const place = visitor();
    const { run, plant, ranCommand, folder, ownConfig, home } = place;
    const config = plant();
    const shown = await run('trust');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain('evil: sh -c "touch ');
    expect(shown.stdout).toContain('with all variables of your environment');
    expect(shown.stdout).toContain(`trust ${folder} --accept `);
    expect(await configOf(place)).toBe(ownConfig);
    expect(ranCommand()).toBe(false);

    const accepted = await run('trust', '--accept', shaIn(shown.stdout));
    expect(accepted).toMatchObject({ code: 0, stderr: '' });
    expect(await run('config', 'path')).toMatchObject({ stdout: `${config}\n`, stderr: '' });
    expect((await run('tools')).stdout).toContain('evil_echo');
    expect(ranCommand()).toBe(true);
    expect(statSync(path.join(home, '.viaduct/trusted-configs.json')).mode & 0o777).toBe(0o600);
    expect((await run('trust')).stdout).toContain('is trusted already');
  });

  test('does not trust what was changed after it was shown', async () => {
    const place = visitor();
    const { run, plant, ownConfig } = place;
    plant({ upstreams: {} });
    const sha = shaIn((await run('trust')).stdout);
    plant();
    const { code, stdout, stderr } = await run('trust', '--accept', sha);
    expect(code).toBe(1);
    expect(stderr).toContain('this is not what was accepted');
    expect(stdout).toContain('evil: sh -c "touch ');
    expect(await configOf(place)).toBe(ownConfig);
  });

  test('asks again when the content changes; lists, and takes trust back', async () => {
    const place = visitor();
    const { run, plant, ownConfig } = place;
    const config = plant({}, '.viaduct/config.yaml');
    expect((await run('trust', '--yes')).code).toBe(0);
    expect(await configOf(place)).toBe(config);
    plant({ log: { level: 'debug' } }, '.viaduct/config.yaml');
    const changed = await run('config', 'path');
    expect(changed.stdout.trim()).toBe(ownConfig);
    expect(changed.stderr).toMatch(/is not used: it has changed since you trusted it.*viaduct trust/);
    expect(JSON.parse((await run('trust', '--list', '--json')).stdout)).toMatchObject([
      { path: config, state: 'changed' },
    ]);
    const again = await run('trust', '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ path: config, trusted: true, before: 'changed' });
    expect((await run('trust', '--list')).stdout).toMatch(/config\.yaml +trusted +20/);
    expect((await run('trust', '--remove')).stdout).toContain(`${config} is no longer trusted`);
    expect(await configOf(place)).toBe(ownConfig);
    expect((await run('trust', '--remove')).code).toBe(1);
  });

  test('of what there is not, cannot be read, or is open to others says what is wrong', async () => {
    const { run, folder } = visitor();
    const config = path.join(folder, 'viaduct.yaml');
    const none = await run('trust');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(`Looked for: ${config}`) });
    writeFileSync(config, 'upstreams: {');
    const broken = await run('trust', '--yes');
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('viaduct.yaml:1:') });
    rmSync(config);
    writeFileSync(config, 'schemaVersion: 1', { mode: 0o600 });
    const usage = await Promise.all([run('trust', '--list', '--yes'), run('trust', '--remove', '--accept', '0')]);
    expect(usage.map(({ code }) => code)).toEqual([2, 2]);
  });

  test.runIf(process.platform === 'linux' && existsSync('/usr/bin/script'))(
    'asks on a terminal, and does nothing without a yes',
    async () => {
      const place = visitor();
      const config = place.plant();
      expect(await onTerminal('\n', place)).toMatch(/SHA-256[\s\S]*\[y\/N\][\s\S]*Nothing was changed/);
      expect(await configOf(place)).toBe(place.ownConfig);
      expect(await onTerminal('y\n', place)).toContain('is trusted');
      expect(await configOf(place)).toBe(config);
    },
  );
});

describe('a config of the folder that the user makes or changes with a command', () => {
  test('is trusted at once, and stays so', async () => {
    const place = visitor();
    const { run, folder, home } = place;
    const config = path.join(folder, 'viaduct.yaml');
    expect(await run('init')).toMatchObject({ code: 0, stderr: '' });
    expect(await configOf(place)).toBe(config);
    await run('token', 'create', 'laptop', '--write');
    mkdirSync(path.join(home, '.cursor'));
    writeFileSync(path.join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { more: fixture('hostile') } }));
    expect((await run('import', 'cursor', '--write')).stdout).toContain(`${config} is written`);
    expect(readFileSync(config, 'utf8')).toMatch(/more:[\s\S]*laptop/);
    expect(await run('config', 'path')).toMatchObject({ stdout: `${config}\n`, stderr: '' });
    // For all projects it is named, with what that means.
    const exported = JSON.parse((await run('export', 'cursor', '--json')).stdout);
    expect(exported.entry.args.slice(-2)).toEqual(['--config', config]);
    expect(exported.notes).toContainEqual(expect.stringContaining('needs no trust'));
    const inProject = JSON.parse((await run('export', 'cursor', '--scope', 'project', '--json')).stdout);
    expect(inProject.entry.args.at(-1)).toBe('stdio');
  });

  test('does not become trusted by a change of a file that is named', async () => {
    const place = visitor();
    const config = place.plant();
    const created = await place.run('token', 'create', 'laptop', '--write', '--config', config);
    expect(created.stdout).not.toBe('');
    expect(await configOf(place)).toBe(place.ownConfig);
  });
});
