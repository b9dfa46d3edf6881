import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spawnClient } from '../../support/clients/raw-client.ts';
import { BIN, freshHome, startStdio, writeConfig } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

const MOUNTS = ['-U', '-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...MOUNTS, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const CONFIG = { enabledWorkflows: ['checkpoint'] };
const SAVE = { project_id: 'p', source_ide: 'test', bundle_patch: { summary: 'kept' } };

/** Saves a checkpoint in a gateway of its own, which then ends. Returns the home. */
async function savedHome(): Promise<NodeJS.ProcessEnv> {
  const env = freshHome();
  const { client, child } = startStdio(writeConfig(CONFIG), env);
  await client.initialize();
  expect((await client.call('save_checkpoint', SAVE)).isError).not.toBe(true);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin!.end();
  expect(await ended).toBe(0);
  return env;
}

/** A gateway before which `script` has mounted something in the home. */
async function startWith(env: NodeJS.ProcessEnv, script: string) {
  const config = writeConfig(CONFIG);
  const words = `set -e; cd '${env.VIADUCT_HOME}'; ${script}; exec '${process.execPath}' '${BIN}' stdio --config '${config}'`;
  const { client, child } = spawnClient('unshare', [...MOUNTS, 'sh', '-c', words], env);
  onTestFinished(() => endChild(child));
  await client.initialize();
  return client;
}

test('the database is closed clean when stdio ends: everything is in the one file', async () => {
  const home = (await savedHome()).VIADUCT_HOME!;
  expect(readdirSync(home).filter((name) => name.startsWith('viaduct.db'))).toEqual(['viaduct.db']);
  expect(statSync(path.join(home, 'viaduct.db')).size).toBeGreaterThan(20_000);
});

describe.skipIf(!canMount)('checkpoints can be read', () => {
  test.each([
    ['in a read-only home', 'mount --bind "$PWD" "$PWD" && mount -o remount,ro,bind "$PWD" && cd "$PWD"'],
    [
      'on a full disk',
      'home="$PWD"; mount -t tmpfs -o size=300k none /mnt; cp -r . /mnt/; mount --move /mnt "$home"; cd "$home"; ' +
        'cat /dev/zero > filler 2>/dev/null || true',
    ],
  ])('%s, and a save says why it failed', async (_name, script) => {
    const env = await savedHome();
    const client = await startWith(env, script);
    const { structuredContent } = await client.call('load_checkpoint', { project_id: 'p' });
    expect(JSON.stringify(structuredContent)).toContain('kept');
    const saved = await client.call('save_checkpoint', { ...SAVE, bundle_patch: { summary: 'x'.repeat(5_000) } });
    expect(saved.isError).toBe(true);
    expect(saved.content[0].text).toMatch(/is full|cannot be written/);
  });
});
