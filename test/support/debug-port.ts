import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { STOP_STEP_MS, stopTree } from '../../src/process/process-group.ts';
import { Reaper } from '../../src/process/reaper.ts';
import { spawnTree } from '../../src/process/spawn-tree.ts';
import { CHROMIUM } from './chromium.ts';
import { removeFolder } from './folders.ts';

/** Starts a browser as a user does who wants to have it debugged; it ends with the test. Returns its debug URL. */
export async function startDebugBrowser(startPage = 'about:blank'): Promise<string> {
  const profile = mkdtempSync(path.join(tmpdir(), 'viaduct-user-'));
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    ...sandbox,
    startPage,
  ];
  const tree = spawnTree(
    { file: CHROMIUM!, args, cwd: profile, env: process.env as Record<string, string> },
    new Reaper(),
  );
  onTestFinished(async () => {
    await stopTree(tree, STOP_STEP_MS);
    removeFolder(profile);
  });
  tree.child.stdout!.resume();
  const port = await new Promise<string>((resolve, reject) => {
    let words = '';
    tree.child.stderr!.on('data', (bytes: Buffer) => {
      words += bytes.toString();
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(words);
      if (found !== null) resolve(found[1]!);
    });
    tree.child.once('exit', () => reject(new Error(`the browser ended: ${words}`)));
  });
  const debugUrl = `http://127.0.0.1:${port}`;
  await expect.poll(async () => (await listedPages(debugUrl)).map(({ title }) => title)).not.toContain('');
  return debugUrl;
}

/** The pages that a browser lists. */
export async function listedPages(debugUrl: string): Promise<readonly { readonly title: string }[]> {
  const targets = (await (await fetch(`${debugUrl}/json`)).json()) as { title: string; type: string }[];
  return targets.filter(({ type }) => type === 'page');
}
