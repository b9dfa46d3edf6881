import { coalesce } from '../../core/timing/coalesce.ts';
import type { TransportContext } from '../transports/transport.ts';
import type { PortFinding } from './find-windows.ts';
import type { Search } from './windows-status.ts';

/** Imported on demand, with all code for HTTP, so that other upstreams do not wait for it. */
const search = () => import('./find-windows.ts');

/** A call goes by a look at the windows that is no older: one may have opened another folder since. In milliseconds. */
const FRESH_MS = 1_000;
/** The delay between two searches while there are no calls, in milliseconds; longer each time that nothing has changed. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 60_000;
/** The time for which a port that accepts connections but does not respond is left alone, in milliseconds. */
const DEAF_MS = 20_000;

export interface WindowSearchHost {
  readonly ports: readonly number[];
  readonly context: Pick<TransportContext, 'env' | 'log'>;
  /** Returns whether a window was found on this port before. */
  isKnown(port: number): boolean;
  /** Takes what was found on the ports. Returns whether any window came, went, or opened another folder. */
  take(findings: readonly PortFinding[]): boolean;
  /** A look has ended, and its findings were taken. */
  onLooked(): void;
}

/** Looks for the windows of an IDE: now and then by itself, and on request. */
export class WindowSearch {
  /** Looks now. Callers that come while a look is under way wait for that one. Never rejects. */
  readonly look = coalesce(() => this.#lookOnce());
  readonly #host: WindowSearchHost;
  readonly #deafUntil = new Map<number, number>();
  #state: Search = { name: 'idle' };
  #since = Date.now();
  #delayMs = FIRST_DELAY_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: WindowSearchHost) {
    this.#host = host;
  }

  get state(): Search {
    return this.#state;
  }

  /** The time when it came to stand like this, in milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** True if the last look was not long ago. */
  get isFresh(): boolean {
    return this.#state.name === 'looked' && Date.now() - this.#state.at < FRESH_MS;
  }

  /** Begins to look, unless it does already. */
  begin(): void {
    this.#delayMs = FIRST_DELAY_MS;
    if (this.#state.name === 'looked') return;
    this.#state = { name: 'searching' };
    this.#since = Date.now();
    this.#lookLater(0);
  }

  /** Looks at all ports again, also at those that are left alone for a while. */
  async lookEverywhere(): Promise<void> {
    this.#deafUntil.clear();
    this.begin();
    await this.look();
  }

  /** Looks soon: something may have changed. */
  lookSoon(): void {
    if (this.#state.name === 'looked') this.#lookLater(0);
  }

  /** Looks no more until it is begun again; what a look under way finds is not taken. */
  stop(reason: string): void {
    clearTimeout(this.#timer);
    this.#state = { name: 'stopped', reason };
    this.#since = Date.now();
  }

  #lookLater(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), ms);
  }

  async #lookOnce(): Promise<void> {
    if (this.#isStopped) return;
    const now = Date.now();
    const ports = this.#host.ports.filter((port) => (this.#deafUntil.get(port) ?? 0) <= now);
    const known = new Set(ports.filter((port) => this.#host.isKnown(port)));
    const findings = await (await search()).findWindows(ports, (port) => known.has(port), this.#host.context);
    if (this.#isStopped) return;
    this.#leaveDeafAlone(findings);
    const isChanged = this.#host.take(findings);
    this.#delayMs = isChanged ? FIRST_DELAY_MS : Math.min(this.#delayMs * 2, MAX_DELAY_MS);
    if (this.#state.name !== 'looked') this.#since = now;
    this.#state = { name: 'looked', at: now, nextAt: Date.now() + this.#delayMs };
    this.#lookLater(this.#delayMs);
    this.#host.onLooked();
  }

  #leaveDeafAlone(findings: readonly PortFinding[]): void {
    for (const finding of findings) {
      const isDeaf = 'problem' in finding && finding.problem === 'silent' && !this.#host.isKnown(finding.port);
      if (isDeaf) this.#deafUntil.set(finding.port, Date.now() + DEAF_MS);
    }
  }

  /** True if the search has been stopped, which may happen during any `await`. */
  get #isStopped(): boolean {
    return this.#state.name === 'stopped';
  }
}
