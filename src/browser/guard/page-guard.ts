import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Guard } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import type { TargetKind } from '../page/targets.ts';
import type { AddressRules } from './address-rules.ts';
import { type Denial, RequestGuard } from './request-guard.ts';

export interface PageGuardOptions {
  readonly rules: AddressRules;
  /** True if a guard of the whole browser sees the page's requests; it calls `onDenied`. */
  readonly isBrowserGuarded: boolean;
  /** @param sentence says what was refused and why */
  readonly onEvent: (sentence: string) => void;
}

const MAX_FRAMES = 100;
const MAX_TOLD = 50;

/** Keeps one page from addresses that the rules forbid, and remembers why. */
export class PageGuard implements Guard {
  readonly #options: PageGuardOptions;
  readonly #requests: RequestGuard | undefined;
  /** The reason why the last document of each frame was refused. */
  readonly #denials = new Map<string, string>();
  /** Denials that were told: a page may repeat a request forever. */
  readonly #told = new Set<string>();
  #page: CdpSession | undefined;

  constructor(options: PageGuardOptions) {
    this.#options = options;
    if (!options.isBrowserGuarded) this.#requests = new RequestGuard(options.rules, (denial) => this.onDenied(denial));
  }

  async follow(session: CdpSession, kind: TargetKind): Promise<void> {
    if (kind === 'page') this.#page = session;
    session.on('Network.responseReceived', (event) => this.#onResponse(event));
    session.on('Network.webSocketCreated', ({ url }) => this.#onWebSocket(url));
    await Promise.all([this.#requests?.guard(session), session.send('Network.enable')]);
  }

  takeDenial(frameId: string): string | undefined {
    const why = this.#denials.get(frameId);
    this.#denials.delete(frameId);
    return why;
  }

  /** Remembers and tells a request of this page that was refused. */
  onDenied({ frameId, url, why, isDocument }: Denial): void {
    if (isDocument && (this.#denials.size < MAX_FRAMES || this.#denials.has(frameId))) this.#denials.set(frameId, why);
    this.#tell(`A request of the page to ${quotedText(url)} was refused: ${why}.`);
  }

  /** A name may have led elsewhere when the browser asked for its address than when the guard did (DNS rebinding). */
  #onResponse({ type, frameId = '', response }: Protocol.Network.ResponseReceivedEvent): void {
    const { url, remoteIPAddress } = response;
    if (remoteIPAddress === undefined || remoteIPAddress === '') return;
    const verdict = this.#options.rules.checkReached(url, remoteIPAddress.replace(/^\[|\]$/g, ''));
    if (!verdict.allowed) this.#leave({ frameId, url, why: verdict.why, isDocument: type === 'Document' });
  }

  /** WebSockets are not paused: all that can be done is to leave the page that opens one. */
  async #onWebSocket(url: string): Promise<void> {
    const verdict = await this.#options.rules.checkRequest(url);
    if (!verdict.allowed) this.#leave({ frameId: '', url, why: verdict.why, isDocument: false });
  }

  #leave(denial: Denial): void {
    this.onDenied(denial);
    this.#tell('The page was left for about:blank.');
    // A page that has gone meanwhile is left, too.
    this.#page?.send('Page.navigate', { url: 'about:blank' }).catch(() => undefined);
  }

  #tell(sentence: string): void {
    if (this.#told.size >= MAX_TOLD || this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#options.onEvent(sentence);
  }
}
