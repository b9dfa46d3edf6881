import type { Upstream } from '../upstream.ts';
import type { IdeWindow, PortFinding } from './find-windows.ts';
import { isSameWindow } from './window-checks.ts';

/** A window that was found, and the connection to it. */
export interface OpenWindow extends IdeWindow {
  readonly upstream: Upstream;
  /** True if it did not respond to the last search: its folder is then taken to be the same as before. */
  readonly isBusy: boolean;
}

export interface OpenWindowsHost {
  /** Connects a window. */
  connect(window: IdeWindow): Upstream;
  /** The window is gone to whose resources these clients have subscribed. */
  onSubscribersLost(sessionIds: Iterable<string>): void;
}

/** The windows of an IDE that were found, each with a connection of its own. */
export class OpenWindows {
  readonly #host: OpenWindowsHost;
  /** The windows in the order of their ports. */
  #windows: readonly OpenWindow[] = [];
  readonly #ending = new Set<Promise<void>>();
  #opened = 0;

  constructor(host: OpenWindowsHost) {
    this.#host = host;
  }

  get all(): readonly OpenWindow[] {
    return this.#windows;
  }

  /** The connections to them. */
  get upstreams(): readonly Upstream[] {
    return this.#windows.map(({ upstream }) => upstream);
  }

  /** The number of windows that were found so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Returns whether a window was found on this port. */
  has(port: number): boolean {
    return this.#windows.some((window) => window.port === port);
  }

  /** Takes what a look has found. Returns whether any window came, went, or opened another folder. */
  take(findings: readonly PortFinding[]): boolean {
    const before = this.#windows;
    const after = findings.flatMap((finding) => this.#windowOf(finding) ?? []);
    this.#windows = after;
    const gone = before.filter(({ upstream }) => !after.some((window) => window.upstream === upstream));
    this.#end(gone, 'its window was closed, or has another folder open');
    // Clients that have subscribed to resources of a window that has gone may find them in another one.
    this.#host.onSubscribersLost(new Set(gone.flatMap(({ upstream }) => upstream.activity.subscribers())));
    return shape(before) !== shape(after);
  }

  /** Forgets all windows and ends the connections to them. */
  clear(reason: string): void {
    const windows = this.#windows;
    this.#windows = [];
    this.#end(windows, reason);
  }

  /** Resolves when all connections that were ended are gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** One that has another folder open by now is another window: what waits was meant for the folder before. */
  #windowOf(finding: PortFinding): OpenWindow | undefined {
    const known = this.#windows.find(({ port }) => port === finding.port);
    if ('problem' in finding)
      return finding.problem === 'silent' && known !== undefined ? { ...known, isBusy: true } : undefined;
    const isStill = known !== undefined && isSameWindow(known, finding);
    return { ...finding, isBusy: false, upstream: isStill ? known.upstream : this.#connect(finding) };
  }

  #connect(window: IdeWindow): Upstream {
    const upstream = this.#host.connect(window);
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

const shape = (windows: readonly IdeWindow[]): string =>
  JSON.stringify(windows.map(({ url, dialect, workspace }) => [url, dialect, workspace]));
