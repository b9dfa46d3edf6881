import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { RefTable } from '../elements/refs.ts';
import { browserFailed } from '../failure.ts';
import { NetworkLog } from '../network/network-log.ts';
import { ConsoleLog } from './console-log.ts';
import { Frames } from './frames.ts';
import { InPage } from './in-page.ts';
import { type TargetFollower, Targets } from './targets.ts';

export interface PageOptions {
  readonly targetId: string;
  readonly session: CdpSession;
  readonly connection: CdpConnection;
  /** Sees every request of the page before it leaves. */
  readonly guard: TargetFollower;
}

/** A tab of a browser that a client uses. */
export class Page {
  readonly targetId: string;
  readonly session: CdpSession;
  readonly frames = new Frames();
  readonly scripts = new InPage(this.frames);
  readonly console = new ConsoleLog();
  readonly network = new NetworkLog();
  readonly refs = new RefTable();
  readonly targets: Targets;
  #hasCrashed = false;

  constructor({ targetId, session, connection, guard }: PageOptions) {
    this.targetId = targetId;
    this.session = session;
    this.targets = new Targets(connection, [guard, this.frames, this.console, this.network, this.refs]);
    session.on('Inspector.targetCrashed', () => {
      this.#hasCrashed = true;
    });
  }

  /** Begins to follow the page. @throws CdpError if it has gone */
  async open(): Promise<void> {
    await Promise.all([this.targets.follow(this.session, 'page'), this.session.send('Inspector.enable')]);
  }

  /** @throws GatewayError if nothing can be done with the page any more */
  requireOpen(): void {
    if (this.#hasCrashed) throw browserFailed('The page has crashed: use webview_connect to begin anew');
    if (!this.session.ended.aborted) return;
    const { message } = this.session.ended.reason as Error;
    throw browserFailed(`The page is gone (${message}): use webview_connect to connect again`);
  }
}
