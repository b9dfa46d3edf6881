import { randomUUID } from 'node:crypto';
import type { Session } from '../../../session/session.ts';
import type { SessionOptions } from '../../../session/session-host.ts';
import type { Backlog } from '../streams/backlog.ts';
import type { ClientRoute } from './client-route.ts';
import { HttpSession } from './http-session.ts';

const IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 1_000;
/** The number of sessions of one principal: a client that must authenticate cannot keep the others out. */
const MAX_SESSIONS_OF_ONE = 250;

/** The options of a session that the HTTP server knows; the gateway decides which folders its client may name. */
export type HttpSessionOptions = Omit<SessionOptions, 'folderRule'>;

/** The sessions of legacy clients. Each belongs to the principal and to the path that created it. */
export class HttpSessions {
  readonly #open: (options: HttpSessionOptions) => Session;
  readonly #backlog: Backlog;
  readonly #byId = new Map<string, HttpSession>();

  constructor(open: (options: HttpSessionOptions) => Session, backlog: Backlog) {
    this.#open = open;
    this.#backlog = backlog;
  }

  get size(): number {
    return this.#byId.size;
  }

  /**
   * Opens a session. If there are too many, it takes the place of the one that has been idle for longest; a session
   * with an open stream or call is not idle. Returns `undefined` when none is idle.
   */
  create(route: ClientRoute): { readonly id: string; readonly session: HttpSession } | undefined {
    if (
      this.#hasEnough(route) &&
      !this.#endLongestIdle(({ route: { principal } }) => principal.id === route.principal.id)
    ) {
      return undefined;
    }
    if (this.#byId.size >= MAX_SESSIONS && !this.#endLongestIdle(() => true)) return undefined;
    const id = randomUUID();
    const { principal, profile } = route;
    const hangUp = () => this.end(session);
    const open = (ways: Pick<SessionOptions, 'output' | 'isListening'>) =>
      this.#open({ id, transport: 'http', profile, access: principal.access, principal, hangUp, ...ways });
    const session = new HttpSession(open, route, this.#backlog);
    this.#byId.set(id, session);
    return { id, session };
  }

  /** Opens a session for one request. It is in no list; the caller ends it. `folder` is where its client works if it does not say so. */
  openBrief({ principal, profile }: ClientRoute, folder: string | undefined): Session {
    const session = this.#open({
      id: randomUUID(),
      transport: 'http',
      profile,
      access: principal.access,
      principal,
      output: () => undefined,
      isListening: () => false,
      isBrief: true,
    });
    if (folder !== undefined) session.introduction.setFolder(folder);
    return session;
  }

  /** Returns a session; `undefined` for any route other than its own, as if the session had never existed. */
  find(id: string, { principal, profile }: ClientRoute): HttpSession | undefined {
    const session = this.#byId.get(id);
    const isOwn = session?.route.principal.id === principal.id && session.route.profile === profile;
    return isOwn ? session : undefined;
  }

  end(session: HttpSession): void {
    this.#byId.delete(session.session.id);
    session.end();
  }

  endWhere(isOver: (session: HttpSession) => boolean): void {
    for (const session of this.#byId.values()) if (isOver(session)) this.end(session);
  }

  endIdle(now: number): void {
    this.endWhere((session) => session.idleMs(now) > IDLE_MS);
  }

  keepAlive(): void {
    for (const session of this.#byId.values()) session.keepAlive();
  }

  /** Returns false when none of those is idle. Its client gets 404, and initializes again (2025-11-25, Session Management). */
  #endLongestIdle(isCandidate: (session: HttpSession) => boolean): boolean {
    const now = performance.now();
    let longest: HttpSession | undefined;
    for (const session of this.#byId.values()) {
      if (!isCandidate(session) || session.idleMs(now) === 0) continue;
      if (longest === undefined || session.idleMs(now) > longest.idleMs(now)) longest = session;
    }
    if (longest !== undefined) this.end(longest);
    return longest !== undefined;
  }

  #hasEnough({ principal }: ClientRoute): boolean {
    if (principal.id === '' || this.#byId.size < MAX_SESSIONS_OF_ONE) return false;
    let own = 0;
    for (const { route } of this.#byId.values()) if (route.principal.id === principal.id) own++;
    return own >= MAX_SESSIONS_OF_ONE;
  }
}
