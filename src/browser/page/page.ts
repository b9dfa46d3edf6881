import { setMaxListeners } from 'node:events';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { RefTable } from '../elements/refs.ts';
import { browserFailed } from '../failure.ts';
import { NetworkLog } from '../network/network-log.ts';
import { ConsoleLog } from './console-log.ts';
import { Frames } from './frames.ts';
import { InPage } from './in-page.ts';
import { PageEvents } from './page-events.ts';
import { type TargetFollower, Targets } from './targets.ts';

/** Sees every request of a page before it leaves. */
export interface Guard extends TargetFollower {
  /**
   * Returns why the last document of a frame was refused, as a clause, and forgets it. A navigation that was refused fails with
   * `net::ERR_BLOCKED_BY_CLIENT`.
   */
  takeDenial(frameId: string): string | undefined;
}

export interface PageOptions {
  readonly targetId: string;
  readonly session: CdpSession;
  readonly connection: CdpConnection;
  readonly guard: Guard;
}

/** A tab of a browser that a client uses. */
export class Page {
  readonly targetId: string;
  readonly session: CdpSession;
  readonly guard: Guard;
  readonly frames = new Frames();
  readonly scripts = new InPage(this.frames);
  readonly console = new ConsoleLog();
  readonly events = new PageEvents();
  readonly network = new NetworkLog();
  readonly refs = new RefTable();
  readonly targets: Targets;
  #crash = crashController();

  constructor({ targetId, session, connection, guard }: PageOptions) {
    this.targetId = targetId;
    this.session = session;
    this.guard = guard;
    this.targets = new Targets(connection, [guard, this.frames, this.console, this.events, this.network, this.refs]);
    session.on('Inspector.targetCrashed', () => this.#onCrash());
    session.on('Inspector.targetReloadedAfterCrash', () => {
      this.#crash = crashController();
    });
  }

  /** Aborted while there is no content because it has crashed; its reason is a `GatewayError`. Another one after a new navigation. */
  get crashed(): AbortSignal {
    return this.#crash.signal;
  }

  /** Begins to follow the page. @throws CdpError if it has gone */
  async open(): Promise<void> {
    await Promise.all([this.targets.follow(this.session, 'page'), this.session.send('Inspector.enable')]);
  }

  /** @throws GatewayError if nothing can be done with the page any more */
  requireOpen(): void {
    this.crashed.throwIfAborted();
    if (!this.session.ended.aborted) return;
    const { message } = this.session.ended.reason as Error;
    throw browserFailed(`The page is gone (${message}): use webview_connect to connect again`);
  }

  #onCrash(): void {
    this.events.note('The page crashed.');
    this.#crash.abort(
      browserFailed('The page has crashed: use webview_navigate to open it again', undefined, 'unknown'),
    );
  }
}

function crashController(): AbortController {
  const controller = new AbortController();
  // Each operation listens.
  setMaxListeners(0, controller.signal);
  return controller;
}
