import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import type { Page } from './page.ts';

/**
 * Does something with a page. Ends at once if the page crashes meanwhile.
 * @param options `revives`: the work gives a page that has crashed a new content
 * @throws GatewayError if the page is gone or has crashed, or if the browser refuses a command; any other error that
 * `work` throws
 */
export async function usePage<T>(page: Page, work: () => Promise<T>, { revives = false } = {}): Promise<T> {
  const isRevived = revives && page.crashed.aborted;
  if (!isRevived) page.requireOpen();
  try {
    return await (isRevived ? work() : unlessAborted(work(), page.crashed));
  } catch (error) {
    throw explained(page, error);
  }
}

function explained(page: Page, error: unknown): unknown {
  if (!(error instanceof CdpError)) return error;
  if (!error.isGone) return browserFailed(`The browser refused ${error.method}: ${error.message}`, error, 'unknown');
  page.requireOpen();
  return browserFailed('A frame of the page went away meanwhile: look at the page again', error, 'unknown');
}
