import { homedir } from 'node:os';
import { GatewayError } from '../../../core/errors.ts';
import { asObject } from '../../../core/json/as-object.ts';
import type { Check } from './check.ts';

const FIX = 'install one, or have agents connect to yours (debug_url of webview_connect)';

/**
 * Looks whether there is a browser for the workflow `webview`.
 * @param options of the workflow; `browser` is the only place that is looked at, if it is set
 */
export async function checkBrowser(options: unknown, env: NodeJS.ProcessEnv = process.env): Promise<Check> {
  const name = 'browser';
  const { browser } = asObject(options);
  const { findBrowser } = await import('../../../browser/launch/find-browser.ts');
  try {
    const search = { platform: process.platform, env, homeFolder: homedir() };
    const file = await findBrowser(typeof browser === 'string' ? browser : undefined, search);
    return { name, mark: 'ok', text: `${file} can be started for agents` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { name, mark: 'warn', text: error.message, fix: FIX };
  }
}
