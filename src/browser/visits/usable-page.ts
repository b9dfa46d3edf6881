import { GatewayError } from '../../core/errors.ts';
import type { AddressRules } from '../guard/address-rules.ts';

/** Pages that a new tab shows. Other pages of the browser itself can change its settings. */
const START_PAGES: ReadonlySet<string> = new Set([
  'chrome://newtab/',
  'chrome://new-tab-page/',
  'edge://newtab/',
  'about:blank',
]);

/** Checks that a client may use a page that the user has open. @throws GatewayError that says why not */
export async function requireUsable(url: string, rules: AddressRules): Promise<void> {
  if (START_PAGES.has(url)) return;
  const verdict = await rules.check(url);
  if (!verdict.allowed) throw new GatewayError('ADDRESS_DENIED', `the tab cannot be used: ${verdict.why}`);
}
