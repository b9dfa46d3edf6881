import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser } from '../../../src/browser/launch/launch-browser.ts';
import { Page } from '../../../src/browser/page/page.ts';
import { Reaper } from '../../../src/process/reaper.ts';
import { removeFolder } from '../../../test/support/folders.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];

/** The browser that the bench uses; `undefined` if there is none. Set `VIADUCT_TEST_BROWSER` to use another one. */
export const BROWSER = process.env.VIADUCT_TEST_BROWSER ?? PLACES.find((file) => existsSync(file));

/** Root may not use the sandbox. */
export const SANDBOX = process.getuid?.() !== 0;

/** Opens a page in a browser of its own. @param file path of the browser */
export async function openPage(file: string): Promise<{ readonly page: Page; readonly stop: () => Promise<void> }> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-browser-'));
  const env = process.env as Record<string, string>;
  const options = { file, env, home, headless: true, sandbox: SANDBOX, reaper: new Reaper() };
  const browser = await launchBrowser({ ...options, signal: AbortSignal.timeout(60_000) });
  const stop = () => browser.stop().finally(() => removeFolder(home));
  const { root } = browser.connection;
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const { connection } = browser;
  const guard = { follow: async () => undefined, takeDenial: () => undefined };
  const page = new Page({ targetId, session: connection.session(sessionId), connection, guard });
  await page.open();
  return { page, stop };
}
