import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { Denial } from '../guard/request-guard.ts';
import { settledWithin } from '../settled-within.ts';

const DISPOSE_MS = 2_000;

/** A browser, or a part of one, in which a visit takes place. */
export interface Ground {
  readonly connection: CdpConnection;
  /** The context that is the visit's own, with cookies of its own; `undefined` in the user's own profile. */
  readonly contextId: string | undefined;
  /** True if the connection is to one page: there are no other tabs then. */
  readonly isPageOnly: boolean;
  /** Reports requests that a guard of the whole browser has refused; `undefined` if pages have to be guarded one by one. */
  readonly onDenied: ((listener: (denial: Denial) => void) => void) | undefined;
  /** Ends what is the visit's own. Harmless when called twice. */
  leave(): Promise<void>;
}

/** Makes a context with cookies of its own, which `disposeContext` ends. @throws CdpError */
export async function makeContext({ root }: CdpConnection, signal: AbortSignal): Promise<string> {
  const making = root.send('Target.createBrowserContext', { disposeOnDetach: true });
  try {
    return (await unlessAborted(making, signal)).browserContextId;
  } catch (error) {
    void making.then(({ browserContextId }) => disposeContext({ root }, browserContextId)).catch(() => undefined);
    throw error;
  }
}

/** Ends a context with all its pages. Does nothing if the browser has gone, or does not answer. */
export async function disposeContext({ root }: Pick<CdpConnection, 'root'>, browserContextId: string): Promise<void> {
  await settledWithin(root.send('Target.disposeBrowserContext', { browserContextId }), DISPOSE_MS);
}
