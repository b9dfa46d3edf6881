import { randomUUID } from 'node:crypto';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { Bytes } from '../../wire/bytes.ts';
import type { Backlog } from './backlog.ts';
import type { Entrance } from './entrance.ts';
import { HttpSession } from './http-session.ts';

const IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 1_000;
/** Whoever has to prove who they are cannot keep the others out. */
const MAX_SESSIONS_OF_ONE = 250;

/** What the HTTP server knows of a session; which folders its client may name is for the gateway to say. */
export type HttpSessionOptions = Omit<SessionOptions, 'folderRule'>;

/** The sessions of legacy clients, each for whoever has made it, under the path that has made it. */
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

  /** A new session, or `undefined` when there are too many. */
  create(entrance: Entrance): { readonly id: string; readonly session: HttpSession } | undefined {
    if (this.#byId.size >= MAX_SESSIONS || this.#hasEnough(entrance)) return undefined;
    const id = randomUUID();
    const { principal, profile } = entrance;
    const hangUp = () => this.end(session);
    const open = (output: (bytes: Bytes) => void) =>
      this.#open({ id, transport: 'http', profile, access: principal.access, principal, output, hangUp });
    const session = new HttpSession(open, entrance, this.#backlog);
    this.#byId.set(id, session);
    return { id, session };
  }

  /** By any other way in than its own a session is as unknown as one that never was. */
  find(id: string, { principal, profile }: Entrance): HttpSession | undefined {
    const session = this.#byId.get(id);
    const isOwn = session?.entrance.principal.id === principal.id && session.entrance.profile === profile;
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

  #hasEnough({ principal }: Entrance): boolean {
    if (principal.id === '' || this.#byId.size < MAX_SESSIONS_OF_ONE) return false;
    let own = 0;
    for (const { entrance } of this.#byId.values()) if (entrance.principal.id === principal.id) own++;
    return own >= MAX_SESSIONS_OF_ONE;
  }
}
