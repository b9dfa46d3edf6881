import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LaunchOptions, launchBrowser } from '../../../../src/browser/launch/launch-browser.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { CHROMIUM, needsChromium } from '../../../support/browser/chromium.ts';
import { profilesIn } from '../../../support/browser/visits.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { onLines } from '../../../support/lines.ts';
import { hasEnded, isAlive } from '../../../support/processes.ts';

/** More of them prove more: VIADUCT_BROWSER_CYCLES=50 */
const CYCLES = Number(process.env.VIADUCT_BROWSER_CYCLES ?? 3);

function options(changes: Partial<LaunchOptions> = {}): LaunchOptions {
  return {
    file: CHROMIUM!,
    env: process.env as Record<string, string>,
    home: temporaryFolder(),
    reaper: new Reaper(),
    headless: true,
    sandbox: process.getuid?.() !== 0,
    signal: AbortSignal.timeout(60_000),
    ...changes,
  };
}

async function processesOf(browser: Awaited<ReturnType<typeof launchBrowser>>): Promise<readonly number[]> {
  const { processInfo } = await browser.connection.root.send('SystemInfo.getProcessInfo');
  return processInfo.map(({ id }) => id);
}

describe.skipIf(CHROMIUM === undefined)(needsChromium('a browser that is started'), () => {
  test(`leaves no process and no folder, ${CYCLES} times`, { timeout: CYCLES * 60_000 }, async () => {
    const settings = options();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const browser = await launchBrowser({ ...settings, signal: AbortSignal.timeout(60_000) });
      const processes = await processesOf(browser);
      expect(processes.length).toBeGreaterThan(0);
      const [profile] = profilesIn(settings.home);
      const socket = readlinkSync(path.join(settings.home, 'webview', profile!, 'SingletonSocket'));
      expect(existsSync(path.dirname(socket))).toBe(true);
      await Promise.all([browser.stop(), browser.stop()]);
      expect(processes.filter(isAlive)).toEqual([]);
      expect(profilesIn(settings.home)).toEqual([]);
      expect(existsSync(path.dirname(socket))).toBe(false);
    }
  });

  test('leaves nothing if it is given up while it starts', async () => {
    const abort = new AbortController();
    const settings = options({ signal: abort.signal });
    const launching = launchBrowser(settings);
    const refused = expect(launching).rejects.toThrow('enough');
    await expect.poll(() => profilesIn(settings.home), { interval: 1 }).toHaveLength(1);
    abort.abort(new Error('enough'));
    await refused;
    expect(profilesIn(settings.home)).toEqual([]);
    await expect(launchBrowser(settings)).rejects.toThrow('enough');
  });

  test('leaves no profile if it crashes, and says that it has ended', async () => {
    const settings = options();
    const browser = await launchBrowser(settings);
    const processes = await processesOf(browser);
    process.kill(processes[0]!, 'SIGKILL');
    await expect.poll(() => browser.connection.ended.aborted).toBe(true);
    await expect.poll(() => profilesIn(settings.home)).toEqual([]);
    await expect(browser.connection.root.send('Browser.getVersion')).rejects.toThrow('the browser has ended');
    await browser.stop();
    expect(processes.filter(isAlive)).toEqual([]);
  });

  test('ends with a gateway that is killed, whose profile the next start removes', async () => {
    const home = temporaryFolder();
    const script = path.resolve('test/support/browser/browse-until-killed.ts');
    const gateway = spawn(process.execPath, ['--import', 'tsx', script, home, CHROMIUM!], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void gateway.kill('SIGKILL'));
    const line = await new Promise<string>((resolve) => onLines(gateway.stdout, resolve));
    const processes = line.split(' ').map(Number);
    const [abandoned] = profilesIn(home);
    gateway.kill('SIGKILL');
    await hasEnded(gateway);
    await expect.poll(() => processes.filter(isAlive)).toEqual([]);
    expect(profilesIn(home)).toEqual([abandoned]);

    const browser = await launchBrowser(options({ home }));
    expect(profilesIn(home)).toEqual([expect.not.stringMatching(abandoned!)]);
    await browser.stop();
    expect(profilesIn(home)).toEqual([]);
  });
});

describe('a program that is no browser', () => {
  test('is named, and leaves no profile', async () => {
    const settings = options({ file: '/bin/true' });
    await expect(launchBrowser(settings)).rejects.toMatchObject({
      message: expect.stringContaining('/bin/true ended at once'),
    });
    const missing = { ...settings, file: path.join(settings.home, 'missing') };
    await expect(launchBrowser(missing)).rejects.toThrow('cannot be started');
    expect(profilesIn(settings.home)).toEqual([]);
  });

  test('a folder that is no profile stays', async () => {
    const settings = options({ file: '/bin/true' });
    const other = path.join(settings.home, 'webview', 'other.folder');
    mkdirSync(other, { recursive: true });
    writeFileSync(path.join(other, 'file'), '');
    await launchBrowser(settings).catch(() => undefined);
    expect(profilesIn(settings.home)).toEqual(['other.folder']);
  });
});
