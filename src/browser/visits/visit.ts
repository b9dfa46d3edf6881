import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { browserFailed } from '../failure.ts';
import type { Page } from '../page/page.ts';
import { settledWithin } from '../settled-within.ts';
import { AtClose } from './at-close.ts';
import { followDownloads } from './downloads.ts';
import { type OwnPage, OwnPages, type OwnPagesOptions } from './own-pages.ts';
import { followPopUps } from './pop-ups.ts';
import { type Tab, TabTargets } from './tab-targets.ts';
import { requireUsable } from './usable-page.ts';

export interface VisitOptions extends OwnPagesOptions {
  /** Limit for each operation, in milliseconds; the visit only keeps it. */
  readonly timeoutMs: number;
  /** Absolute path of the folder for downloads; `undefined` refuses them. */
  readonly downloads: string | undefined;
}

type TargetInfo = Protocol.Target.TargetInfo;

const ABANDON_MS = 2_000;
const HOW_TO_GO_ON = 'select or open another one with webview_tabs, or use webview_connect';

/** A client's time with a browser: the tabs that it has, and which of them is the current one. */
export class Visit {
  readonly timeoutMs: number;
  readonly #options: VisitOptions;
  readonly #pages: OwnPages;
  readonly #targets: TabTargets;
  readonly #atClose = new AtClose();
  #current = '';
  #closing: Promise<void> | undefined;

  constructor(options: VisitOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs;
    this.#pages = new OwnPages(options);
    this.#targets = new TabTargets(options, this.#pages);
  }

  /**
   * Begins in a tab that was claimed, or in a new one.
   * @throws CdpError
   */
  async begin(targetId: string | undefined): Promise<void> {
    const { ground } = this.#options;
    ground.onDenied?.((denial) => this.#pages.ofFrame(denial.frameId)?.guard.onDenied(denial));
    if (!ground.isPageOnly) {
      const idOf = (targetId: string) => this.#targets.idOf(targetId);
      this.#atClose.add(await followPopUps({ ...this.#options, pages: this.#pages, idOf }));
    }
    if (ground.contextId !== undefined) await this.#followDownloads(ground.contextId);
    const { page } = await (targetId === undefined ? this.#pages.openNew() : this.#pages.open(targetId));
    this.#current = page.targetId;
    this.#targets.idOf(page.targetId);
  }

  /** The current tab. @throws GatewayError if the tab or the whole browser has gone */
  get page(): Page {
    const { ended } = this.#options.ground.connection;
    if (ended.aborted) throw browserFailed(`${(ended.reason as Error).message}: use webview_connect to connect again`);
    const own = this.#pages.get(this.#current);
    if (own === undefined) throw browserFailed(`the current tab was closed: ${HOW_TO_GO_ON}`);
    return own.page;
  }

  /** Lists the client's tabs and, in the user's browser, those that it can select, by their ids. @throws CdpError */
  async tabs(): Promise<readonly Tab[]> {
    const targets = await this.#targets.listed();
    return targets.map((target) => this.#targets.tabOf(target, this.#current));
  }

  /** Opens an empty tab and makes it the current one. @throws GatewayError if there are too many; CdpError */
  async openTab(): Promise<Tab> {
    if (this.#options.ground.isPageOnly) throw browserFailed('this browser cannot open other tabs');
    this.#pages.requireRoom();
    const { page } = await this.#pages.openNew();
    return this.#show(page);
  }

  /** Makes a tab the current one. @throws GatewayError if there is none with this id, or it may not be used; CdpError */
  async selectTab(id: string): Promise<Tab> {
    const target = await this.#targets.withId(id);
    const { page } = this.#pages.get(target.targetId) ?? (await this.#take(target));
    return this.#show(page);
  }

  /** Closes a tab that the client has. @throws GatewayError if there is none with this id, or it is not the client's; CdpError */
  async closeTab(id: string): Promise<void> {
    const { targetId } = await this.#targets.withId(id);
    if (this.#pages.get(targetId) === undefined)
      throw browserFailed(`${id} is a tab of the user: select it before you close it`);
    await this.#pages.close(targetId);
  }

  /**
   * Ends a visit that could not begin, and closes the tab that it has opened.
   * @param beginning the promise of `begin`
   */
  async abandon(beginning: Promise<void>): Promise<void> {
    // The browser may have the command for a new tab already. One that answers nothing is not waited for.
    await settledWithin(beginning, ABANDON_MS);
    await settledWithin(this.#pages.closeOpened(), ABANDON_MS);
    await this.close();
  }

  /** Ends the visit, and what is its own in the browser. Harmless when called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { ground, claims } = this.#options;
    this.#atClose.run();
    try {
      await ground.leave();
    } finally {
      claims.releaseAll();
    }
  }

  async #followDownloads(contextId: string): Promise<void> {
    const { ground, downloads: folder } = this.#options;
    const onEvent = (frameId: string, sentence: string) => {
      // The browser reports the downloads of all clients. A pop-up that only was a download has gone by now.
      const own =
        this.#pages.ofFrame(frameId) ?? (this.#pages.had(frameId) ? this.#pages.get(this.#current) : undefined);
      if (own !== undefined) this.#options.onEvent(own.page, sentence);
    };
    this.#atClose.add(await followDownloads(ground.connection, contextId, { folder, onEvent }));
  }

  /** Takes a tab that the user has open. */
  async #take({ targetId, url }: TargetInfo): Promise<OwnPage> {
    this.#pages.requireRoom();
    await requireUsable(url, this.#options.rules);
    if (!this.#options.claims.take(targetId)) throw browserFailed('another client has taken this tab');
    return this.#pages.open(targetId);
  }

  async #show(page: Page): Promise<Tab> {
    const { targetId } = page;
    this.#current = targetId;
    await page.session.send('Page.bringToFront');
    const found = (await this.#targets.all()).find((target) => target.targetId === targetId);
    if (found === undefined) throw browserFailed(`the tab was closed: ${HOW_TO_GO_ON}`);
    return this.#targets.tabOf(found, targetId);
  }
}
