import { addressDenied, browserFailed, isTimeout } from '../failure.ts';
import { documentFacts } from '../injected/document-facts.ts';
import type { Page } from '../page/page.ts';
import { boundedText, quotedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';
import { settledWithin } from '../settled-within.ts';
import { Lifecycle } from './lifecycle.ts';
import { netErrorMeaning } from './net-errors.ts';

export interface NavigateOptions {
  /** `commit`: the new document has begun; `load`: with its pictures and styles; `idle`: no request for half a second, too. */
  readonly wait: 'commit' | 'load' | 'idle';
  readonly signal: AbortSignal;
}

export interface NavigateAnswer {
  /** The address after redirects. */
  readonly url: string;
  /** Status of HTTP. Missing for documents that came without HTTP, and for places in the same document. */
  readonly status?: number;
  /** True if the answer was a file to be saved: the page is as it was. */
  readonly isDownload?: boolean;
}

/** An error page of the browser for a status without a text: the server has answered. */
const EMPTY_ERROR = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';

const MAX_URL = 2_000;
const STOP_MS = 1_000;

/**
 * Opens an address. An answer such as 404 is a success with its status.
 * @throws GatewayError if the address cannot be opened, or not in the time of `signal`: the message says why
 */
export async function navigate(page: Page, url: string, options: NavigateOptions): Promise<NavigateAnswer> {
  const lifecycle = new Lifecycle(page.session, page.frames.main.id);
  try {
    return await open(page, url, options, lifecycle);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    // A page in an endless loop may not answer.
    await settledWithin(page.session.send('Page.stopLoading'), STOP_MS);
    throw isTimeout(error) ? tooSlow(url, lifecycle) : error;
  } finally {
    lifecycle.stop();
  }
}

async function open(
  page: Page,
  url: string,
  { wait, signal }: NavigateOptions,
  lifecycle: Lifecycle,
): Promise<NavigateAnswer> {
  return usePage(
    page,
    async () => {
      // A refusal from before would explain another failure.
      page.guard.takeDenial(page.frames.main.id);
      const answer = await page.session.send('Page.navigate', { url }, signal);
      if (answer.isDownload === true) return { url: boundedText(url, MAX_URL), isDownload: true };
      if (answer.errorText !== undefined && answer.errorText !== EMPTY_ERROR)
        throw cannotOpen(page, url, answer.errorText);
      lifecycle.onCommit(answer.loaderId);
      if (wait !== 'commit') await lifecycle.reached(wait === 'load' ? 'load' : 'networkIdle', signal);
      return where(page, url, signal);
    },
    { revives: true },
  );
}

async function where(page: Page, asked: string, signal: AbortSignal): Promise<NavigateAnswer> {
  const { url, status } = await page.scripts.call(page.frames.main, documentFacts, [], signal);
  const shown = url.startsWith('chrome-error:') ? asked : url;
  return { url: boundedText(shown, MAX_URL), ...(status === null ? {} : { status }) };
}

function cannotOpen(page: Page, url: string, errorText: string): Error {
  const why = page.guard.takeDenial(page.frames.main.id);
  if (why !== undefined) return addressDenied(url, why);
  return browserFailed(`${quotedText(url)} cannot be opened: ${netErrorMeaning(errorText)}`, undefined, 'unknown');
}

function tooSlow(url: string, { hasCommitted }: Lifecycle): Error {
  const words = hasCommitted ? 'was opened, but has not finished loading in time' : 'did not answer in time';
  return browserFailed(`${quotedText(url)} ${words}: loading was stopped`, undefined, 'unknown');
}
