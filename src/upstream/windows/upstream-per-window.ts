import { shownPorts } from '../../core/addresses/port-list.ts';
import { GatewayError, toGatewayError } from '../../core/errors.ts';
import { ClientRoots } from '../../core/folders/client-roots.ts';
import { folderOf } from '../../core/providers/caller-folder.ts';
import {
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type Provider,
  type ProviderCall,
  type RunningCall,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { RemoteEntry, WindowsEntry } from '../../core/settings/upstream-entry.ts';
import { coalesce } from '../../core/timing/coalesce.ts';
import { isLive } from '../connection/machine.ts';
import { differenceOf } from '../lists/list-difference.ts';
import { Offer, type Shown } from '../sharing/offer.ts';
import { Misfits } from '../status/misfits.ts';
import { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import type { WindowWish } from './choose-window.ts';
import type { IdeWindow, PortFinding } from './find-windows.ts';
import { isSameWindow, WindowChecks } from './window-checks.ts';
import type { KnownWindows } from './window-for-call.ts';
import { type Search, statusWithoutWindows, windowStatus } from './windows-status.ts';

/** With all that speaks HTTP: other upstreams do not wait for its code. */
const search = () => import('./find-windows.ts');
const choosing = () => import('./window-for-call.ts');

/** A call goes by a look at the windows that is no older: one may have opened another folder since. */
const FRESH_MS = 1_000;
/** From one look to the next, while nobody calls: longer each time that nothing has changed. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 60_000;
/** A port on which something listens and says nothing is left alone for so long. */
const DEAF_MS = 20_000;

interface OpenWindow extends IdeWindow {
  readonly upstream: Upstream;
  /** It did not answer the last look: what it has open is what it had before. */
  readonly isBusy: boolean;
}

/**
 * The windows of an IDE, each with a plug-in on a port of its own. All offer the same tools; a call goes to the window that
 * has the client's folder open, and to none where that cannot be told.
 */
export class UpstreamPerWindow implements Provider, UpstreamControl {
  readonly kind = 'upstream';
  readonly id: string;
  readonly prefix: string;
  readonly validation: Provider['validation'];
  readonly #entry: WindowsEntry;
  readonly #options: UpstreamOptions;
  readonly #roots: ClientRoots;
  readonly #look = coalesce(() => this.#lookOnce());
  readonly #checks: WindowChecks;
  /** In the order of their ports. */
  #windows: readonly OpenWindow[] = [];
  readonly #deafUntil = new Map<number, number>();
  #search: Search = { name: 'idle' };
  #since = Date.now();
  #delayMs = FIRST_DELAY_MS;
  #timer: NodeJS.Timeout | undefined;
  readonly #ending = new Set<Promise<void>>();
  /** Windows that were found so far. */
  #opened = 0;
  /** Of the clients, for windows that are opened later. */
  readonly #logLevels = new Map<string, string>();
  readonly #offer = new Offer();
  readonly #misfits: Misfits;

  constructor(options: UpstreamOptions & { readonly entry: WindowsEntry }) {
    this.id = options.entry.key;
    this.prefix = options.entry.prefix;
    this.validation = options.entry.validation;
    this.#entry = options.entry;
    this.#options = options;
    this.#checks = new WindowChecks(options.entry.timeouts.callMs, options.transport);
    this.#misfits = new Misfits(options.log);
    this.#roots = new ClientRoots((reason) => options.log.warn({ event: 'roots' }, reason));
  }

  start(): void {
    if (this.#search.name === 'idle') this.#begin();
  }

  async stop(reason: string): Promise<void> {
    this.#stopLooking(reason);
    const windows = this.#windows;
    this.#windows = [];
    this.#end(windows, reason);
    this.#options.onOffer();
    await Promise.all(this.#ending);
  }

  disconnect(reason: string): Promise<void> {
    return this.stop(reason);
  }

  async sync(): Promise<SyncReport> {
    const before = this.listing().tool;
    this.#deafUntil.clear();
    this.#begin();
    await this.#look();
    const shown = this.#offer.leader(this.#upstreams) ?? this.#upstreams[0];
    if (shown === undefined) {
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${this.id}: ${this.#nothingFound()}`, { upstream: this.id });
    }
    await Promise.all(this.#windows.map(({ upstream }) => (upstream === shown ? upstream.sync() : quietly(upstream))));
    const after = this.listing().tool;
    return { ...differenceOf(before, after), total: after.length };
  }

  isLive(): boolean {
    return this.#windows.some(({ upstream }) => isLive(upstream.state));
  }

  listing(): Listing {
    return this.#shown()?.listing() ?? EMPTY_LISTING;
  }

  isKnown(kind?: EntryKind): boolean {
    if (this.#search.name === 'idle' || this.#search.name === 'searching') return false;
    return this.#shown()?.isKnown(kind) ?? true;
  }

  era(): Era | undefined {
    return this.#shown()?.era();
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.#shown()?.declared();
  }

  withheld(): readonly WithheldEntry[] {
    return this.#shown()?.withheld() ?? [];
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    // Where no window is open, the call of a client that knows the tool from before is answered with what to do.
    const mayCall = kind === 'tool' && this.prefix !== '';
    return this.#shown()?.acceptsUnlisted(kind, ownName) ?? mayCall;
  }

  instructions(): string | undefined {
    return this.#shown()?.instructions();
  }

  call(call: ProviderCall): RunningCall {
    const choosing = new AbortController();
    let running: RunningCall | undefined;
    this.#windowFor(call, choosing.signal)
      .then(({ upstream }) => {
        if (!choosing.signal.aborted) running = upstream.call(call);
      })
      .catch((error: unknown) => {
        if (!choosing.signal.aborted) call.caller.onFailure(toGatewayError(error));
      });
    return {
      cancel(reason) {
        choosing.abort();
        running?.cancel(reason);
      },
    };
  }

  onPinsChanged(): void {
    for (const { upstream } of this.#windows) upstream.onPinsChanged();
  }

  /** A plug-in on this machine asks nobody who he is. */
  async onCredentialsChanged(): Promise<void> {}

  onMisfit(toolName: string, problem: string): void {
    this.#misfits.onArguments(toolName, problem);
  }

  onOutputMisfit(toolName: string, problem: string): void {
    for (const upstream of this.#upstreams) upstream.onOutputMisfit(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#logLevels.set(sessionId, level);
    for (const { upstream } of this.#windows) upstream.setLogLevel(sessionId, level);
  }

  onRootsChanged(sessionId: string): void {
    this.#roots.forget(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    this.#logLevels.delete(sessionId);
    this.#roots.forget(sessionId);
    for (const { upstream } of this.#windows) upstream.onSessionEnded(sessionId);
  }

  status(): UpstreamStatus {
    const windows = this.#windows.map(windowStatus);
    const shown = this.#shown();
    if (shown !== undefined) return { ...shown.status(), windows };
    return statusWithoutWindows(this, {
      search: this.#search,
      since: this.#since,
      nothingFound: this.#nothingFound(),
      opened: this.#opened,
    });
  }

  /** Of whose lists clients are told: all windows have the same, unless one is of another version. None without a window. */
  #shown(): Shown | undefined {
    return this.#windows.length === 0 ? undefined : this.#offer.shown(this.#upstreams);
  }

  get #upstreams(): readonly Upstream[] {
    return this.#windows.map(({ upstream }) => upstream);
  }

  #nothingFound(): string {
    const gone = this.#opened > 0 ? 'the last window was closed: ' : '';
    return `${gone}no IDE's plug-in answers on the ports ${shownPorts(this.#entry.ports)} of this machine`;
  }

  async #windowFor(call: ProviderCall, signal: AbortSignal): Promise<OpenWindow> {
    const wish = await this.#wishOf(call, signal);
    const choice = await (await choosing()).windowForCall(this.#known(), wish, this.#entry.timeouts.callMs);
    if ('problem' in choice) throw this.#noWindow(choice.problem);
    return choice.window;
  }

  /** As they are when they are looked at: there may be others after a look. */
  #known(): KnownWindows<OpenWindow> {
    return {
      checks: this.#checks,
      windows: () => this.#windows,
      isFresh: () => this.#isFresh(),
      absence: () => this.#absence(),
      look: this.#look,
    };
  }

  /** Why there is no window to choose, and what to do; `undefined` where there is one. */
  #absence(): string | undefined {
    const { againHint } = this.#options.traits;
    if (this.#search.name === 'stopped')
      return `${this.#search.reason}. ${againHint ?? `To look for it again: viaduct sync ${this.id}`}`;
    if (this.#windows.length > 0) return undefined;
    const advice = 'Open the folder in the IDE, with the plug-in switched on';
    return `${this.#nothingFound()}. ${advice}. ${againHint ?? 'It is found by itself'}`;
  }

  #noWindow(reason: string): GatewayError {
    const text = `${this.id}: ${this.#options.mask(reason)}`;
    return new GatewayError('UPSTREAM_NOT_CONNECTED', text, { upstream: this.id, effect: 'none' });
  }

  async #wishOf(call: ProviderCall, signal: AbortSignal): Promise<WindowWish> {
    const { workspace } = this.#entry;
    const folder = workspace ?? (await folderOf(call, this.#roots, signal));
    const real = folder === undefined ? undefined : await (await search()).realFolder(folder);
    return { folder: real, isConfigured: workspace !== undefined };
  }

  #isFresh(): boolean {
    return this.#search.name === 'looked' && Date.now() - this.#search.at < FRESH_MS;
  }

  #begin(): void {
    this.#delayMs = FIRST_DELAY_MS;
    if (this.#search.name === 'looked') return;
    this.#search = { name: 'searching' };
    this.#since = Date.now();
    this.#lookLater(0);
  }

  #stopLooking(reason: string): void {
    clearTimeout(this.#timer);
    this.#search = { name: 'stopped', reason };
    this.#since = Date.now();
  }

  #lookLater(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms);
  }

  async #lookOnce(): Promise<void> {
    if (this.#search.name === 'stopped') return;
    const now = Date.now();
    const ports = this.#entry.ports.filter((port) => (this.#deafUntil.get(port) ?? 0) <= now);
    const known = new Set(this.#windows.map(({ port }) => port));
    const findings = await (await search()).findWindows(ports, (port) => known.has(port), this.#options.transport);
    if (this.#isStopped) return;
    const isChanged = this.#take(findings);
    this.#delayMs = isChanged ? FIRST_DELAY_MS : Math.min(this.#delayMs * 2, MAX_DELAY_MS);
    if (this.#search.name !== 'looked') this.#since = now;
    this.#search = { name: 'looked', at: now, nextAt: Date.now() + this.#delayMs };
    this.#lookLater(this.#delayMs);
    this.#options.onOffer();
  }

  /** After an `await` the search may have been stopped. */
  get #isStopped(): boolean {
    return this.#search.name === 'stopped';
  }

  /** Whether any window came, went, or opened another folder. */
  #take(findings: readonly PortFinding[]): boolean {
    const before = this.#windows;
    const after = findings.flatMap((finding): OpenWindow[] => {
      const known = before.find(({ port }) => port === finding.port);
      if (!('problem' in finding)) return [this.#windowOf(finding, known)];
      if (finding.problem === 'nothing') return [];
      if (known !== undefined) return [{ ...known, isBusy: true }];
      this.#deafUntil.set(finding.port, Date.now() + DEAF_MS);
      return [];
    });
    this.#windows = after;
    this.#end(
      before.filter(({ upstream }) => !after.some((window) => window.upstream === upstream)),
      'its window was closed, or has another folder open',
    );
    this.#tellOfLost(before, after);
    return shape(before) !== shape(after);
  }

  /** Clients that have subscribed to resources of a window that has gone may find them in another one. */
  #tellOfLost(before: readonly OpenWindow[], after: readonly OpenWindow[]): void {
    const gone = before.filter(({ upstream }) => !after.some((window) => window.upstream === upstream));
    for (const sessionId of new Set(gone.flatMap(({ upstream }) => upstream.subscribers())))
      this.#options.directory.get(sessionId)?.onSubscriptionsLost(this);
  }

  /** One that has another folder open by now is another window: what waits was meant for the folder before. */
  #windowOf(found: IdeWindow, known: OpenWindow | undefined): OpenWindow {
    const isStill = known !== undefined && isSameWindow(known, found);
    return { ...found, isBusy: false, upstream: isStill ? known.upstream : this.#openWindow(found) };
  }

  #openWindow({ url }: IdeWindow): Upstream {
    const upstream = new Upstream({
      ...this.#options,
      provider: this,
      entry: entryFor(this.#entry, url),
      misfits: this.#misfits,
      onOffer: () => {
        this.#offer.onChange(upstream);
        // A window that has gone shows first in the connection to it.
        if (upstream.state.name === 'backoff' && this.#search.name === 'looked') this.#lookLater(0);
        this.#options.onOffer();
      },
    });
    for (const [sessionId, level] of this.#logLevels) upstream.setLogLevel(sessionId, level);
    this.#opened++;
    upstream.start();
    return upstream;
  }

  #end(windows: readonly OpenWindow[], reason: string): void {
    for (const { upstream } of windows) {
      const ended = upstream.stop(reason).finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
    }
  }
}

/** Either dialect is of the legacy era: that need not be asked. */
function entryFor({ ports: _ports, workspace: _workspace, ...rules }: WindowsEntry, url: string): RemoteEntry {
  return { ...rules, url, headers: {}, era: 'legacy' };
}

const shape = (windows: readonly IdeWindow[]): string =>
  JSON.stringify(windows.map(({ url, dialect, workspace }) => [url, dialect, workspace]));

/** The windows of which nothing is shown may be in trouble. */
async function quietly(upstream: Upstream): Promise<void> {
  await upstream.sync().catch(() => undefined);
}
