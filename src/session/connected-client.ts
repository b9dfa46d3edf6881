import type { Principal } from '../core/access/principal.ts';
import type { PassedCapabilities } from '../era/extensions.ts';
import type { SessionHost } from './session-host.ts';

/** A client's own words about itself. */
export interface Introduction {
  /** The client has said what it is. */
  readonly isIntroduced: boolean;
  /** Its name and version, as far as they are known. */
  readonly clientInfo: Readonly<Record<string, unknown>>;
  /** Its capabilities that upstreams are told, besides those to be asked something. */
  readonly passed: PassedCapabilities;
}

/** The way on which a client came in. */
export interface ClientOrigin {
  readonly id: string;
  readonly transport: string;
  readonly profile: string | undefined;
  /** The identity that it has proved, where it had to prove one. */
  readonly principal?: Principal | undefined;
  /** Closes its connection. */
  readonly hangUp?: ((reason: string) => void) | undefined;
}

/** A client that is connected now, as the list of clients and the status see it. */
export abstract class ConnectedClient {
  readonly id: string;
  readonly transport: string;
  readonly profile: string | undefined;
  readonly principal: Principal | undefined;
  readonly startedAt = Date.now();
  readonly host: SessionHost;
  readonly #hangUp: ((reason: string) => void) | undefined;

  /** @param host what the client shares with all that see the same */
  constructor(host: SessionHost, { id, transport, profile, principal, hangUp }: ClientOrigin) {
    this.host = host;
    this.id = id;
    this.transport = transport;
    this.profile = profile;
    this.principal = principal;
    this.#hangUp = hangUp;
  }

  abstract get introduction(): Introduction;

  /** The number of its calls that are not answered yet. */
  abstract get openCalls(): number;

  get clientInfo(): Readonly<Record<string, unknown>> {
    return this.introduction.clientInfo;
  }

  /** Sends the client away: nothing is served any more on the way on which it came. `reason` is for the log. */
  hangUp(reason: string): void {
    this.#hangUp?.(reason);
    this.end();
  }

  /** Ends what the client has begun. Harmless when called twice. */
  abstract end(): void;
}
