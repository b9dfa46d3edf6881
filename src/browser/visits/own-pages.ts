import type { CdpSession } from '../cdp/cdp-session.ts';
import { browserFailed } from '../failure.ts';
import type { AddressRules } from '../guard/address-rules.ts';
import { PageGuard } from '../guard/page-guard.ts';
import { Page } from '../page/page.ts';
import { settledWithin } from '../settled-within.ts';
import type { Ground } from './ground.ts';
import type { OwnClaims } from './target-claims.ts';

export interface OwnPagesOptions {
  readonly ground: Ground;
  readonly rules: AddressRules;
  readonly claims: OwnClaims;
  readonly maxTabs: number;
  /** @param sentence says what happened to a page */
  readonly onEvent: (page: Page, sentence: string) => void;
}

export interface OwnPage {
  readonly page: Page;
  readonly guard: PageGuard;
}

/** A page that closes may still be unloading. */
const CLOSE_MS = 2_000;
const MAX_REMEMBERED = 200;

/** The pages that a client has. Those that are closed are forgotten. */
export class OwnPages {
  readonly #options: OwnPagesOptions;
  /** By the id of the target. */
  readonly #pages = new Map<string, OwnPage>();
  /** Tabs that were opened for the client, not by a page or the user. */
  readonly #opened: string[] = [];
  /** The newest targets that were pages of the client, and may have gone. */
  readonly #had = new Set<string>();

  constructor(options: OwnPagesOptions) {
    this.#options = options;
  }

  get(targetId: string): OwnPage | undefined {
    return this.#pages.get(targetId);
  }

  /** True if there may be no more pages. */
  get isFull(): boolean {
    return this.#pages.size >= this.#options.maxTabs;
  }

  /** @throws GatewayError if there may be no more pages */
  requireRoom(): void {
    if (this.isFull) throw browserFailed(`${this.#options.maxTabs} tabs are open, which is the limit: close one first`);
  }

  /** Returns the page that a frame belongs to. */
  ofFrame(frameId: string): OwnPage | undefined {
    // The main frame of a page has the id of its target.
    return (
      this.#pages.get(frameId) ?? [...this.#pages.values()].find(({ page }) => page.frames.get(frameId) !== undefined)
    );
  }

  /** Returns whether a target is or was a page of the client. */
  had(targetId: string): boolean {
    return this.#had.has(targetId);
  }

  /** Opens an empty tab. @throws CdpError */
  async openNew(): Promise<OwnPage> {
    const { connection, contextId } = this.#options.ground;
    const where = contextId === undefined ? {} : { browserContextId: contextId };
    const { targetId } = await connection.root.send('Target.createTarget', { url: 'about:blank', ...where });
    this.#opened.push(targetId);
    this.#options.claims.take(targetId);
    return this.open(targetId);
  }

  /** Closes the tabs that were opened for the client. */
  async closeOpened(): Promise<void> {
    await Promise.all(this.#opened.map((targetId) => this.close(targetId)));
  }

  /** Begins to use a tab that the visit has claimed. @throws CdpError if it has gone */
  async open(targetId: string): Promise<OwnPage> {
    const { ground, rules, onEvent } = this.#options;
    this.#remember(targetId);
    const session = await this.#sessionOf(targetId);
    const guard: PageGuard = new PageGuard({
      rules,
      isBrowserGuarded: ground.onDenied !== undefined,
      onEvent: (sentence) => onEvent(page, sentence),
    });
    const page: Page = new Page({ targetId, session, connection: ground.connection, guard });
    const own = { page, guard };
    this.#pages.set(targetId, own);
    session.ended.addEventListener('abort', () => this.forget(targetId), { once: true });
    await page.open();
    return own;
  }

  /** Closes a tab. Harmless if it has gone already. */
  async close(targetId: string): Promise<void> {
    const own = this.#pages.get(targetId);
    this.forget(targetId);
    // It may be closing by itself.
    await this.#options.ground.connection.root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    if (own !== undefined) await settledWithin(whenAborted(own.page.session.ended), CLOSE_MS);
  }

  forget(targetId: string): void {
    this.#pages.delete(targetId);
    this.#options.claims.release(targetId);
  }

  #remember(targetId: string): void {
    this.#had.add(targetId);
    const [oldest] = this.#had;
    if (this.#had.size > MAX_REMEMBERED) this.#had.delete(oldest!);
  }

  async #sessionOf(targetId: string): Promise<CdpSession> {
    const { connection, isPageOnly } = this.#options.ground;
    if (isPageOnly) return connection.root;
    const { sessionId } = await connection.root.send('Target.attachToTarget', { targetId, flatten: true });
    return connection.session(sessionId);
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
