import type { ClientsHost } from '../server/server-options.ts';
import type { Backlog } from '../streams/backlog.ts';
import { HttpSessions } from './http-sessions.ts';
import { ModernClients } from './modern-clients.ts';

/** Returns whether an admitted client is still admitted. */
interface CurrentPrincipals {
  isCurrent(principalId: string): boolean;
}

/** The clients of an HTTP server: the sessions of legacy ones, and the modern ones that have called. */
export class HttpClients {
  readonly sessions: HttpSessions;
  readonly modern: ModernClients;

  constructor({ openSession, openModern }: Pick<ClientsHost, 'openSession' | 'openModern'>, backlog: Backlog) {
    this.sessions = new HttpSessions(openSession, backlog);
    this.modern = new ModernClients(openModern);
  }

  /** Ends everything of clients that are no longer admitted. */
  endStale(auth: CurrentPrincipals): void {
    this.sessions.endWhere(({ route }) => !auth.isCurrent(route.principal.id));
    this.modern.endWhere(({ principal }) => !auth.isCurrent(principal.id));
  }

  /** Ends what has been idle for long. `now` counts as `performance.now()` does. */
  endIdle(now: number): void {
    this.modern.keepHouse(now);
    this.sessions.endIdle(now);
  }

  /** Ends all sessions. */
  endSessions(): void {
    this.sessions.endWhere(() => true);
  }
}
