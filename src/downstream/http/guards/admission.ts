import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_PROFILE } from '../../../core/access/client-grant.ts';
import { TokenBuckets } from '../../../core/timing/token-bucket.ts';
import type { RefusalLog } from '../../../telemetry/refusal-log.ts';
import type { Credential } from '../auth/credential.ts';
import type { HttpListener } from '../server/http-listener.ts';
import type { HttpSettings } from '../server/server-options.ts';
import type { ClientRoute } from '../sessions/client-route.ts';
import type { HttpSessions } from '../sessions/http-sessions.ts';
import { clientAddress } from './client-address.ts';
import { createGuard, type Guard } from './guards.ts';
import { forbidden, type Rejection, reject, tooManyRequests } from './reject.ts';

/** A way in that ends at some time, in milliseconds since the epoch. */
export type LeasedRoute = ClientRoute & Pick<Credential, 'expiresAt'>;

export interface AdmissionOptions {
  /** Returns the settings as they are now. */
  readonly settings: () => HttpSettings;
  readonly listener: Pick<HttpListener, 'port' | 'scheme' | 'isOwnName'>;
  readonly sessions: Pick<HttpSessions, 'find'>;
  readonly refusals: RefusalLog;
  /** Returns the profile that a request is for; `undefined` if its path is none of MCP. */
  readonly profileOf: (request: IncomingMessage) => string | undefined;
  /** The client is known, and its request has not passed the rate limit yet. */
  readonly onKnown: (request: IncomingMessage, response: ServerResponse, route: LeasedRoute) => void;
  /** The request may come in. */
  readonly onAdmitted: (
    request: IncomingMessage,
    response: ServerResponse,
    route: LeasedRoute,
    profile: string | undefined,
  ) => void;
}

/** The three doors in front of all routes: the guard, the authenticator, the rate limit. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #rates: TokenBuckets;
  #guard: Guard;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#guard = guardFor(options);
    this.#rates = new TokenBuckets(() => {
      const { requestsPerMinute } = options.settings();
      return { capacity: requestsPerMinute, perMinute: requestsPerMinute };
    });
  }

  /** Goes over to other settings, or another port. */
  renewGuard(): void {
    this.#guard = guardFor(this.#options);
  }

  /** The first door: turns away what a web page may have sent. Returns whether the request may go on. */
  passesGuard(request: IncomingMessage, response: ServerResponse): boolean {
    const refusal = this.#guard(request);
    if (refusal !== undefined) this.#reject(request, response, forbidden(refusal.status, refusal.reason));
    return refusal === undefined;
  }

  /** The other doors: calls `onAdmitted`, or turns the request away. */
  admit(request: IncomingMessage, response: ServerResponse): void {
    const { auth, behindProxy } = this.#options.settings();
    const address = clientAddress(request, behindProxy);
    const outcome = auth.authenticate({ authorization: request.headers.authorization, address });
    const go = (found: Credential | Rejection) => this.#onAuthenticated(request, response, address, found);
    if (outcome instanceof Promise) void outcome.then(go);
    else go(outcome);
  }

  #onAuthenticated(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    outcome: Credential | Rejection,
  ): void {
    // The client may have left while keys were fetched.
    if (response.destroyed) return;
    if ('status' in outcome) {
      this.#reject(request, response, outcome);
      return;
    }
    const { principal, expiresAt } = outcome;
    const { profileOf, onKnown, onAdmitted } = this.#options;
    const profile = profileOf(request);
    const route = { principal, profile: profile ?? DEFAULT_PROFILE, expiresAt };
    onKnown(request, response, route);
    const tooFast = this.#rateRejection(request, address, route);
    if (tooFast !== undefined) this.#reject(request, response, tooFast);
    else onAdmitted(request, response, route, profile);
  }

  /** Requests are counted together for a principal, else for a session, else for an address. */
  #rateRejection(request: IncomingMessage, address: string, route: ClientRoute): Rejection | undefined {
    if (this.#options.settings().requestsPerMinute === 0) return undefined;
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' && this.#options.sessions.find(id, route) !== undefined ? id : undefined;
    const waitMs = this.#rates.take(route.principal.id || (session ?? address));
    return waitMs === 0 ? undefined : tooManyRequests('more than limits.requestsPerMinute', waitMs);
  }

  #reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    reject(request, response, rejection, this.#options.refusals);
  }
}

function guardFor({ settings, listener }: AdmissionOptions): Guard {
  const { allowedHosts, allowedOrigins } = settings();
  const { port, scheme } = listener;
  const isOwnName = (name: string) => listener.isOwnName(name);
  return createGuard({ port, scheme, allowedHosts, allowedOrigins, isOwnName });
}
