import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type LaunchedBrowser, launchBrowser } from '../../../src/browser/launch/launch-browser.ts';
import { type Guard, Page } from '../../../src/browser/page/page.ts';
import { Reaper } from '../../../src/process/reaper.ts';
import { removeFolder } from '../folders.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];

/** Path of the browser that tests use; `undefined` if there is none. Set `VIADUCT_TEST_BROWSER` to use another one. */
export const CHROMIUM: string | undefined = process.env.VIADUCT_TEST_BROWSER ?? PLACES.find((file) => existsSync(file));

/** Title for a group of tests that need a browser: `describe.skipIf(CHROMIUM === undefined)(needsChromium('clicks'), …)`. */
export function needsChromium(title: string): string {
  return CHROMIUM === undefined ? `${title} (skipped: install a browser with "apt-get install chromium")` : title;
}

const NO_GUARD: Guard = { follow: async () => undefined, takeDenial: () => undefined };

/** Root may not use the sandbox. */
const launchOptions = { headless: true, sandbox: process.getuid?.() !== 0 } as const;

/** Starts one browser for the tests of a file, and opens pages in it, each in a context of its own. */
export function useChromium(): {
  readonly newPage: (guard?: Guard) => Promise<Page>;
  readonly browser: LaunchedBrowser;
} {
  let browser: LaunchedBrowser;
  beforeAll(async () => {
    if (CHROMIUM !== undefined) browser = await launchForTests();
  }, 60_000);
  afterAll(async () => browser?.stop());
  return {
    get browser() {
      return browser;
    },
    newPage: (guard = NO_GUARD) => openPage(browser, guard),
  };
}

/** Starts a browser of its own; `stop` removes all that it has written. */
export async function launchForTests(): Promise<LaunchedBrowser> {
  const env = process.env as Record<string, string>;
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-browser-'));
  const options = { ...launchOptions, file: CHROMIUM!, env, home, reaper: new Reaper() };
  const browser = await launchBrowser({ ...options, signal: AbortSignal.timeout(60_000) });
  return { connection: browser.connection, stop: () => browser.stop().finally(() => removeFolder(home)) };
}

/** Opens a page in a context of its own. */
export async function openPage({ connection }: LaunchedBrowser, guard = NO_GUARD): Promise<Page> {
  const { root } = connection;
  const { browserContextId } = await root.send('Target.createBrowserContext');
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const page = new Page({ targetId, session: connection.session(sessionId), connection, guard });
  await page.open();
  return page;
}
