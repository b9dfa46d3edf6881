import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';

/** `page` for the page itself, `iframe` for a frame of another site, else a worker or something that has no frames. */
export type TargetKind = 'page' | 'iframe' | 'other';

/** A part of a page that has to do with all of its targets. */
export interface TargetFollower {
  /**
   * Enables what it needs and begins to listen. A target that has just been made waits for this, so nothing it does is missed.
   * Must send its commands at once, without waiting for an answer first.
   */
  follow(session: CdpSession, kind: TargetKind): Promise<unknown>;
}

/** Follows all targets that belong to a page: the page, its frames of other sites, and its workers, as they come. */
export class Targets {
  readonly #connection: CdpConnection;
  readonly #followers: readonly TargetFollower[];
  /** Frames and workers that have come; those that have gone are ended. */
  readonly #sessions = new Set<CdpSession>();

  constructor(connection: CdpConnection, followers: readonly TargetFollower[]) {
    this.#connection = connection;
    this.#followers = followers;
  }

  /** All sessions there are now, the page's first. */
  get sessions(): readonly CdpSession[] {
    return [...this.#sessions].filter(({ ended }) => !ended.aborted);
  }

  /**
   * Follows a target and what belongs to it.
   * @throws CdpError if the page has gone
   */
  async follow(session: CdpSession, kind: TargetKind): Promise<void> {
    this.#sessions.add(session);
    session.ended.addEventListener('abort', () => this.#sessions.delete(session), { once: true });
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => this.#onAttached(sessionId, targetInfo.type));
    const following = this.#followers.map((follower) => follower.follow(session, kind));
    const attaching = session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
    const running = session.send('Runtime.runIfWaitingForDebugger');
    await Promise.all([...following, attaching, running]);
  }

  #onAttached(sessionId: string, type: string): void {
    const session = this.#connection.session(sessionId);
    // It may have gone before it could be followed; workers lack some of the commands.
    this.follow(session, type === 'iframe' ? 'iframe' : 'other').catch(() => undefined);
  }
}
