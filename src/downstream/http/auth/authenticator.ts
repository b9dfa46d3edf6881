import type { Log } from '../../../telemetry/log.ts';
import { insufficientScope, keysUnavailable, type Rejection, tooManyRequests, unauthorized } from '../guards/reject.ts';
import type { AccessTokens, TokenProblem } from './access-tokens.ts';
import { bearerIn, sha256 } from './bearer.ts';
import { ANYBODY, type Credential } from './credential.ts';
import type { FailureThrottle } from './failure-throttle.ts';
import { metadataUrl } from './resource-metadata.ts';
import type { StaticTokens } from './static-tokens.ts';

/** The credentials that come with the headers of a request. */
export interface Presented {
  readonly authorization: string | undefined;
  readonly address: string;
}

export interface AuthenticatorOptions {
  readonly tokens: StaticTokens;
  readonly oauth: AccessTokens | undefined;
  readonly throttle: FailureThrottle;
  readonly log: Log;
}

/** The interval between two log lines about unreadable keys, in milliseconds, so that clients with tokens cannot fill the log. */
const KEYS_NOTED_MS = 5_000;

/** Finds out who a client is by its bearer token. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  #keysNotedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  get oauth(): AccessTokens | undefined {
    return this.#options.oauth;
  }

  /** Returns true if sessions of a principal may continue. */
  isCurrent(principalId: string): boolean {
    const { tokens, oauth } = this.#options;
    return tokens.has(principalId) || oauth?.has(principalId) === true;
  }

  /**
   * Authenticates a client. Returns at once for tokens of the config; other tokens may need keys to be fetched. Never
   * rejects.
   */
  authenticate({ authorization, address }: Presented): Credential | Rejection | Promise<Credential | Rejection> {
    const { tokens, oauth, throttle } = this.#options;
    const token = bearerIn(authorization);
    if (token === undefined) return this.#refuse('a bearer token is needed', authorization !== undefined);
    const digest = sha256(token);
    const waitMs = throttle.waitMs(address, digest);
    if (waitMs > 0) return tooManyRequests('too many wrong tokens came from this address', waitMs);
    const found = tokens.find(digest);
    const judge = (outcome: Credential | TokenProblem) => this.#judge(outcome, address, digest);
    if (found !== undefined || oauth === undefined || !isJwt(token)) {
      return judge(found ?? { kind: 'invalid', reason: 'unknown, revoked or expired' });
    }
    return oauth.verify(token).then(judge);
  }

  #judge(outcome: Credential | TokenProblem, address: string, digest: Buffer): Credential | Rejection {
    const { throttle, oauth } = this.#options;
    if ('principal' in outcome) {
      throttle.onSuccess(address, digest);
      return outcome;
    }
    switch (outcome.kind) {
      case 'invalid':
        throttle.onFailure(address, digest);
        return this.#refuse(`the bearer token is not valid (${outcome.reason})`, true);
      case 'insufficient':
        return insufficientScope(oauth?.rules.requiredScopes ?? [], this.#metadata());
      case 'unavailable':
        this.#noteKeys(outcome.cause);
        return keysUnavailable(outcome.retryAfterMs);
    }
  }

  #noteKeys(error: unknown): void {
    const now = performance.now();
    if (now - this.#keysNotedAt < KEYS_NOTED_MS) return;
    this.#keysNotedAt = now;
    this.#options.log.warn({ event: 'oauth-keys', error }, 'the keys of the authorization server cannot be read');
  }

  /** RFC 6750, section 3: who brings no token at all is told no error code. */
  #refuse(reason: string, isInvalid: boolean): Rejection {
    const scopes = this.oauth?.rules.scopes ?? [];
    return unauthorized(reason, {
      ...(isInvalid && { error: 'invalid_token' }),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...this.#metadata(),
    });
  }

  #metadata(): Readonly<Record<string, string>> {
    return this.oauth === undefined ? {} : { resource_metadata: metadataUrl(this.oauth.rules.audience) };
  }
}

/** The authenticator for a config with neither tokens nor an authorization server. */
export const OPEN_ACCESS = {
  oauth: undefined,
  isCurrent: (principalId: string) => principalId === ANYBODY.principal.id,
  authenticate: () => ANYBODY,
} as const satisfies Pick<Authenticator, 'oauth' | 'isCurrent' | 'authenticate'>;

function isJwt(token: string): boolean {
  return token.split('.').length === 3;
}
