import type { ModernClient } from '../../../session/modern/modern-client.ts';
import type { Session } from '../../../session/session.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { UnreadBudget } from '../../unread/unread-budget.ts';
import type { Authenticator, OPEN_ACCESS } from '../auth/authenticator.ts';
import type { HttpSessionOptions } from '../sessions/http-sessions.ts';
import type { HttpClientOptions } from '../sessions/modern-clients.ts';
import type { Certificate } from './certificate.ts';

/** Settings that a running server can change. */
export interface HttpSettings {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** The limit for one principal, else session, else address; 0 means no limit. */
  readonly requestsPerMinute: number;
  readonly connectionsPerAddress: number;
  /** The client address that a proxy reports is trusted. */
  readonly behindProxy: boolean;
  /** Requests without a session are served. */
  readonly sessionless: boolean;
  /** The working folder of the client of such a request if it names none. */
  readonly sessionlessFolder: string | undefined;
  readonly auth: Authenticator | typeof OPEN_ACCESS;
}

/** The parts of the gateway that every server for clients works with. */
export interface ClientsHost {
  readonly log: Log;
  /** Bounds what clients leave unread. */
  readonly unread: UnreadBudget;
  /** Returns whether there is a profile of a name. */
  readonly hasProfile: (name: string) => boolean;
  readonly openSession: (options: HttpSessionOptions) => Session;
  /** Begins to serve requests of the modern era that come one way. */
  readonly openModern: (options: HttpClientOptions) => ModernClient;
}

export interface HttpServerOptions extends ClientsHost {
  readonly host: string;
  readonly port: number;
  readonly settings: HttpSettings;
  /** The certificate; if present, the server speaks HTTPS. */
  readonly certificate?: Certificate | undefined;
  /** Returns the part of `/health` that only authorized clients see, as JSON. */
  readonly health: () => object;
}
