import { evaluate } from '../../../src/browser/actions/evaluate.ts';
import { navigate } from '../../../src/browser/actions/navigate.ts';
import type { Page } from '../../../src/browser/page/page.ts';
import { type PageRoute, type PageServer, servePages } from '../http/page-server.ts';

/** For operations that nothing ends. */
export const NO_END = new AbortController().signal;

export interface ShownPage {
  readonly page: Page;
  readonly pages: PageServer;
  /** Runs a script in the page and returns its result. @throws Error with the exception of the script */
  readonly read: (script: string) => Promise<any>;
  /** The list `log` of the page's window, to which its handlers push. */
  readonly log: () => Promise<string[]>;
}

/** Serves pages and shows the one at `/`, with `log` as an empty list in its window. */
export async function showPage(page: Page, html: string, more: Record<string, PageRoute> = {}): Promise<ShownPage> {
  const pages = await servePages({ ...more, '/': `<script>window.log = [];</script>${html}` });
  await navigate(page, `${pages.origin}/`, { wait: 'load', signal: NO_END });
  page.events.take();
  const read = (script: string) => readIn(page, script);
  return { page, pages, read, log: () => read('log') };
}

async function readIn(page: Page, script: string): Promise<any> {
  const { success, result, error } = await evaluate(page, script, NO_END);
  if (!success) throw new Error(error);
  return result;
}
