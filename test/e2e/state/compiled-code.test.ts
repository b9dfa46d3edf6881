import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture, freshHome, startStdio, upstreams, viaduct } from '../../support/gateway.ts';

const folderOf = (env: NodeJS.ProcessEnv) => path.join(env.VIADUCT_HOME!, 'cache', 'code');

/** A client of a gateway of its own, which lists the tools and leaves. */
async function listTools(env: NodeJS.ProcessEnv): Promise<void> {
  const { client, child } = startStdio(upstreams({ one: fixture('shapes') }), env);
  await client.initialize();
  expect(await client.toolNames()).not.toEqual([]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin!.end();
  expect(await ended).toBe(0);
}

/** The files with compiled code, and when they were written. */
function kept(env: NodeJS.ProcessEnv): string[] {
  const names = readdirSync(folderOf(env), { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => `${name} ${statSync(path.join(folderOf(env), name)).mtimeMs}`);
}

test('a gateway keeps its compiled code, and its next start uses it', async () => {
  const env = freshHome({ NODE_DISABLE_COMPILE_CACHE: '' });
  await listTools(env);
  const first = kept(env);
  expect(first.length).toBeGreaterThan(3);
  expect(statSync(folderOf(env)).mode & 0o777).toBe(0o700);
  await listTools(env);
  expect(kept(env)).toEqual(first);
});

test('no code is kept where stack traces name the source files', async () => {
  const env = freshHome({ NODE_DISABLE_COMPILE_CACHE: '', NODE_OPTIONS: '--enable-source-maps' });
  await listTools(env);
  expect(existsSync(folderOf(env))).toBe(false);
});

test('no code is kept if the user does not want it, and by commands that run now and then', async () => {
  const off = freshHome({ NODE_DISABLE_COMPILE_CACHE: '1' });
  await listTools(off);
  expect(existsSync(folderOf(off))).toBe(false);
  const on = freshHome({ NODE_DISABLE_COMPILE_CACHE: '' });
  expect((await viaduct(['--version'], on)).code).toBe(0);
  expect(existsSync(folderOf(on))).toBe(false);
});
