import { shownPorts } from '../../core/addresses/port-list.ts';
import { GatewayError } from '../../core/errors.ts';
import type { EntryKind, Provider, ProviderCall, RunningCall } from '../../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { RemoteEntry, WindowsEntry } from '../../core/settings/upstream-entry.ts';
import { differenceOf } from '../lists/list-difference.ts';
import type { Shown } from '../offer/shown.ts';
import { callWhenChosen } from '../sharing/call-when-chosen.ts';
import { syncQuietly, UpstreamGroup } from '../sharing/upstream-group.ts';
import { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import type { IdeWindow } from './find-windows.ts';
import { OpenWindows } from './open-windows.ts';
import { WindowCalls } from './window-calls.ts';
import { WindowSearch } from './window-search.ts';
import { statusWithoutWindows, windowStatus } from './windows-status.ts';

/**
 * The windows of an IDE, each with a plug-in on a port of its own. All offer the same tools; a call goes to the window that
 * has the client's folder open, and to none where that cannot be told.
 */
export class UpstreamPerWindow extends UpstreamGroup implements Provider, UpstreamControl {
  readonly #options: UpstreamOptions & { readonly entry: WindowsEntry };
  readonly #windows: OpenWindows;
  readonly #search: WindowSearch;
  readonly #calls: WindowCalls;

  constructor(options: UpstreamOptions & { readonly entry: WindowsEntry }) {
    super(options);
    const { entry, transport, onOffer } = options;
    this.#options = options;
    const windows = new OpenWindows({
      connect: (window) => this.#connect(window),
      onSubscribersLost: (sessionIds) => this.#onSubscribersLost(sessionIds),
    });
    this.#windows = windows;
    this.#search = new WindowSearch({
      ports: entry.ports,
      context: transport,
      isKnown: (port) => windows.has(port),
      take: (findings) => windows.take(findings),
      onLooked: () => onOffer(),
    });
    const nothingFound = () => this.#nothingFound();
    this.#calls = new WindowCalls({ ...options, windows, search: this.#search, roots: this.roots, nothingFound });
  }

  start(): void {
    if (this.#search.state.name === 'idle') this.#search.begin();
  }

  async stop(reason: string): Promise<void> {
    this.#search.stop(reason);
    this.#windows.clear(reason);
    this.#options.onOffer();
    await this.#windows.ended();
  }

  disconnect(reason: string): Promise<void> {
    return this.stop(reason);
  }

  async sync(): Promise<SyncReport> {
    const before = this.listing().tool;
    await this.#search.lookEverywhere();
    const shown = this.offer.leader(this.living) ?? this.living[0];
    if (shown === undefined) {
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${this.id}: ${this.#nothingFound()}`, { upstream: this.id });
    }
    await Promise.all(this.living.map((upstream) => (upstream === shown ? upstream.sync() : syncQuietly(upstream))));
    const after = this.listing().tool;
    return { ...differenceOf(before, after), total: after.length };
  }

  /** Returns whether a connection to any window is there or being made. */
  isLive(): boolean {
    return this.living.some((upstream) => upstream.isLive());
  }

  status(): UpstreamStatus {
    const windows = this.#windows.all.map(windowStatus);
    const { shown } = this;
    if (shown !== undefined) return { ...shown.status(), windows };
    return statusWithoutWindows(this, {
      search: this.#search.state,
      since: this.#search.since,
      nothingFound: this.#nothingFound(),
      opened: this.#windows.opened,
    });
  }

  override isKnown(kind?: EntryKind): boolean {
    const { name } = this.#search.state;
    if (name === 'idle' || name === 'searching') return false;
    return this.shown?.isKnown(kind) ?? true;
  }

  override acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    // If no window is open, the call of a client that knows the tool from before is answered with what to do.
    const mayCall = kind === 'tool' && this.prefix !== '';
    return this.shown?.acceptsUnlisted(kind, ownName) ?? mayCall;
  }

  call(call: ProviderCall): RunningCall {
    return callWhenChosen(call, (signal) => this.#calls.windowFor(call, signal));
  }

  protected get living(): readonly Upstream[] {
    return this.#windows.upstreams;
  }

  /** Returns all windows, because any of them may be the one for a client's next call. */
  protected usedBy(): readonly Upstream[] {
    return this.living;
  }

  /** The current offer. All windows offer the same, unless one is of another version. */
  protected get shown(): Shown | undefined {
    return this.living.length === 0 ? undefined : this.offer.shown(this.living);
  }

  #nothingFound(): string {
    const gone = this.#windows.opened > 0 ? 'the last window was closed: ' : '';
    return `${gone}no IDE's plug-in answers on the ports ${shownPorts(this.#options.entry.ports)} of this machine`;
  }

  #connect({ url }: IdeWindow): Upstream {
    const upstream = new Upstream({
      ...this.#options,
      provider: this,
      entry: entryFor(this.#options.entry, url),
      misfits: this.misfits,
      onOffer: () => {
        this.offer.onChange(upstream);
        // A window that has gone shows first in the connection to it.
        if (upstream.shown.state.name === 'backoff') this.#search.lookSoon();
        this.#options.onOffer();
      },
    });
    for (const [sessionId, level] of this.logLevels) upstream.setLogLevel(sessionId, level);
    return upstream;
  }

  #onSubscribersLost(sessionIds: Iterable<string>): void {
    for (const sessionId of sessionIds) this.#options.directory.get(sessionId)?.onSubscriptionsLost(this);
  }
}

/** Either dialect is of the legacy era: that need not be asked. */
function entryFor({ ports: _ports, workspace: _workspace, ...rules }: WindowsEntry, url: string): RemoteEntry {
  return { ...rules, url, headers: {}, era: 'legacy' };
}
