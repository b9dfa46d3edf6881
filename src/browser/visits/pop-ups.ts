import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { Page } from '../page/page.ts';
import type { OwnPages, OwnPagesOptions } from './own-pages.ts';

export interface PopUpOptions extends OwnPagesOptions {
  readonly pages: OwnPages;
  /** Returns the id by which the client knows a tab. */
  readonly idOf: (targetId: string) => string;
}

type TargetInfo = Protocol.Target.TargetInfo;

/**
 * Adds the tabs that a client's pages open to its pages, and reports each.
 * @returns what stops it
 * @throws CdpError
 */
export async function followPopUps(options: PopUpOptions): Promise<() => void> {
  const { root } = options.ground.connection;
  const stop = root.on('Target.targetCreated', ({ targetInfo }) => onTarget(targetInfo, options));
  await root.send('Target.setDiscoverTargets', { discover: true });
  return stop;
}

async function onTarget({ targetId, type, openerId = '' }: TargetInfo, options: PopUpOptions): Promise<void> {
  const { pages, claims } = options;
  const opener = pages.get(openerId)?.page;
  if (type !== 'page' || opener === undefined || !claims.take(targetId)) return;
  try {
    await (pages.isFull ? refuse(opener, targetId, options) : add(opener, targetId, options));
  } catch {
    // It was closed at once: there is nothing to see in it.
    pages.forget(targetId);
  }
}

async function refuse(opener: Page, targetId: string, { pages, maxTabs, onEvent }: PopUpOptions): Promise<void> {
  onEvent(opener, `The page opened another tab, which was closed: ${maxTabs} tabs are open, which is the limit.`);
  await pages.close(targetId);
}

async function add(opener: Page, targetId: string, { pages, rules, onEvent, idOf }: PopUpOptions): Promise<void> {
  const { page } = await pages.open(targetId);
  const { url } = page.frames.main;
  onEvent(opener, `The page opened the tab ${idOf(targetId)}.`);
  // In a user's browser its first request has left before it was guarded.
  if (url !== '' && !(await rules.check(url)).allowed) await page.session.send('Page.navigate', { url: 'about:blank' });
}
