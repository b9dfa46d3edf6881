import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, freshHome, temporaryFolder, writeConfig } from '../../support/gateway.ts';

const MOUNTS = ['-U', '-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...MOUNTS, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const TOKEN = { name: 'kept', hash: `sha256:${'0'.repeat(64)}` };

/** Runs the command with its standard output on a full device. */
async function runFull(words: readonly string[]): Promise<{ code: number; stderr: string }> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [BIN, ...words], { env: freshHome(), stdio: ['ignore', full, 'pipe'] });
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}

describe.skipIf(!existsSync('/dev/full'))('output to a full disk', () => {
  test('fails the command, and the message says why', async () => {
    for (const words of [['config', 'schema'], ['--help']]) {
      const { code, stderr } = await runFull(words);
      expect(code).toBe(1);
      expect(stderr).toContain('standard output cannot be written: ENOSPC');
    }
  });

  test('loses a token: its entry is not written into the config', async () => {
    const config = writeConfig({ server: { tokens: [TOKEN] } });
    const before = readFileSync(config, 'utf8');
    for (const more of [[], ['--json']]) {
      const { code } = await runFull(['token', 'create', 'lost', '--write', '--config', config, ...more]);
      expect(code).toBe(1);
      expect(readFileSync(config, 'utf8')).toBe(before);
    }
  });
});

/** Each in a folder with the files of `fill`. All of them write something. */
const COMMANDS: Readonly<Record<string, string>> = {
  init: 'init new.yaml',
  'init --force': 'init old.yaml --force',
  'token create': 'token create lost --write --config old.yaml',
  'token revoke': 'token revoke kept --config old.yaml',
  trust: 'trust --yes',
  import: 'import cursor --write --config old.yaml',
  export: 'export cursor --write --scope project --config old.yaml',
  prime: 'checkpoint prime cursor --config old.yaml',
  'checkpoint import': 'checkpoint import bundle.json --project p --config old.yaml',
  serve: 'serve --port 0 --config old.yaml',
};

function fill(folder: string): void {
  for (const name of ['home', 'user/.cursor', 'work/.cursor']) mkdirSync(path.join(folder, name), { recursive: true });
  const old = { schemaVersion: 1, server: { tokens: [TOKEN] }, enabledWorkflows: ['checkpoint'] };
  writeFileSync(path.join(folder, 'work/old.yaml'), JSON.stringify(old));
  writeFileSync(path.join(folder, 'work/viaduct.yaml'), 'schemaVersion: 1\n');
  writeFileSync(path.join(folder, 'work/bundle.json'), JSON.stringify({ summary: 'kept' }));
  const list = { mcpServers: { one: { command: 'one' } } };
  for (const place of ['user', 'work'])
    writeFileSync(path.join(folder, place, '.cursor/mcp.json'), JSON.stringify(list));
}

/**
 * Runs the command on a small file system without room for a single block. The files of `fill` are listed with what is in them
 * before and afterwards.
 */
function runOnFullDisk(words: string) {
  const folder = temporaryFolder();
  fill(path.join(folder, 'files'));
  const list = (name: string) =>
    `find . -type f ! -name filler ! -name 'viaduct.db*' -exec sha256sum {} + | sort -k2 > '${folder}/${name}'`;
  const script = `set -e
    mount -t tmpfs -o size=128k none /mnt; cp -r '${folder}/files/.' /mnt; cd /mnt
    cat /dev/zero > filler 2>/dev/null || true
    ${list('before')}
    cd work; code=0
    HOME=/mnt/user VIADUCT_HOME=/mnt/home '${process.execPath}' '${BIN}' ${words} >'${folder}/out' 2>'${folder}/err' || code=$?
    cd ..; ${list('after')}
    exit $code`;
  const { status } = spawnSync('unshare', [...MOUNTS, 'sh', '-c', script]);
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { status, told: read('err') + read('out'), before: read('before'), after: read('after') };
}

describe.skipIf(!canMount)('on a full disk, nothing is half-written and nothing is left behind by', () => {
  test.each(Object.entries(COMMANDS))('%s', (_name, words) => {
    const { status, told, before, after } = runOnFullDisk(words);
    expect(before).toContain('work/old.yaml');
    expect(after).toBe(before);
    expect(told).toMatch(/ENOSPC|is full|cannot be read or written/);
    expect(status).toBe(1);
  });

  test('checkpoint export FILE', () => {
    const folder = temporaryFolder();
    const home = path.join(folder, 'home');
    mkdirSync(home);
    const config = writeConfig({ enabledWorkflows: ['checkpoint'] }, folder);
    const bundle = path.join(folder, 'bundle.json');
    writeFileSync(bundle, JSON.stringify({ summary: 'kept' }));
    const env = { ...process.env, VIADUCT_HOME: home };
    const run = (words: string) => `'${process.execPath}' '${BIN}' ${words} --config '${config}'`;
    const script = `set -e
      ${run(`checkpoint import '${bundle}' --project p`)}
      mount -t tmpfs -o size=64k none /mnt; echo old > /mnt/old.json; cat /dev/zero > /mnt/filler 2>/dev/null || true
      for name in old new; do ! ${run('checkpoint export p /mnt/$name.json')} 2>>'${folder}/err' || exit 9; done
      rm /mnt/filler; cp /mnt/* '${folder}/home'`;
    const { status, stderr } = spawnSync('unshare', [...MOUNTS, 'sh', '-c', script], { env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(path.join(folder, 'err'), 'utf8').match(/ENOSPC/g)).toHaveLength(2);
    expect(readFileSync(path.join(home, 'old.json'), 'utf8')).toBe('old\n');
    expect(readdirSync(home).filter((name) => name.includes('json'))).toEqual(['old.json']);
  });
});
