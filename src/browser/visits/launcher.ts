import type { OwnAddress } from '../guard/own-addresses.ts';
import { resolverRules } from '../guard/resolver-rules.ts';
import { type BrowserSearch, findBrowser } from '../launch/find-browser.ts';
import { type LaunchOptions, launchBrowser } from '../launch/launch-browser.ts';
import type { Launch } from './shared-browsers.ts';

export interface LauncherOptions extends Pick<LaunchOptions, 'home' | 'reaper' | 'sandbox'> {
  /** Returns the environment of the browser. */
  readonly env: () => Promise<LaunchOptions['env']>;
  /** Absolute path of the browser; `undefined` looks for one. */
  readonly browser: string | undefined;
  /** Facts that decide where one is looked for. */
  readonly search: BrowserSearch;
  /** Addresses that no page may reach. Those known when a browser starts are closed to it by a second line, too. */
  readonly own: () => readonly OwnAddress[];
}

/** Returns what starts the browser of this machine. It throws as `findBrowser` and `launchBrowser` do. */
export function launcher({ browser, search, env, own, ...options }: LauncherOptions): Launch {
  return async (headless, signal) => {
    const file = await findBrowser(browser, search);
    return launchBrowser({ ...options, file, env: await env(), headless, signal, resolverRules: resolverRules(own()) });
  };
}
