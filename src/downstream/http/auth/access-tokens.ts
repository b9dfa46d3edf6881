import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { sha256 } from './bearer.ts';
import type { Credential } from './credential.ts';
import { findKeysUrl } from './keys-url.ts';

/** The authorization server whose access tokens are accepted, and the requirements for them. */
export interface OAuthRules {
  readonly issuer: string;
  readonly audience: string;
  /** Found by the issuer's metadata if absent. */
  readonly jwksUrl: string | undefined;
  readonly scopes: readonly string[];
  readonly requiredScopes: readonly string[];
  readonly clockSkewSeconds: number;
}

/**
 * The reason why an access token is rejected: it is invalid, it lacks a scope, or it cannot be checked until
 * `retryAfterMs` have passed.
 */
export type TokenProblem =
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly retryAfterMs: number };

/** Signatures that only the owner of a private key can make: no shared secrets (HS…), and never `none`. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** `typ` of access tokens (RFC 9068, section 2.1), and of those of servers that name no kind (RFC 7519, section 5.1). */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'jwt']);

const PATIENCE_MS = 5_000;
/** The time after a failed attempt before keys are requested again, in milliseconds. */
const RETRY_MS = 5_000;

class KeysUnavailable extends Error {}

/** Checks access tokens (JWT, RFC 9068) of one authorization server against the keys that it publishes. */
export class AccessTokens {
  readonly rules: OAuthRules;
  readonly #idPrefix: string;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(rules: OAuthRules) {
    this.rules = rules;
    this.#idPrefix = `oauth:${shortDigest([rules])}:`;
  }

  /** Returns true if a principal came from this server under the current rules. */
  has(principalId: string): boolean {
    return principalId.startsWith(this.#idPrefix);
  }

  /** Never rejects. */
  async verify(token: string): Promise<Credential | TokenProblem> {
    // Only those who use OAuth pay for it.
    const jose = await import('jose');
    const { issuer, audience, clockSkewSeconds } = this.rules;
    try {
      const { payload, protectedHeader } = await jose.jwtVerify(token, (header, input) => this.#key(header, input), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      if (!isAccessTokenType(protectedHeader.typ))
        return { kind: 'invalid', reason: 'its typ is that of another kind of token' };
      return this.#credentialOf(payload);
    } catch (error) {
      if (error instanceof KeysUnavailable)
        return { kind: 'unavailable', cause: error.cause, retryAfterMs: this.#pauseMs() };
      const code = error instanceof jose.errors.JOSEError ? error.code : 'ERR_TOKEN';
      return { kind: 'invalid', reason: code };
    }
  }

  #credentialOf(payload: JWTPayload): Credential | TokenProblem {
    const granted = scopesOf(payload);
    if (!this.rules.requiredScopes.every((scope) => granted.has(scope))) return { kind: 'insufficient' };
    const { sub = '', exp = 0, client_id: clientId, azp } = payload;
    // Two programs of one user are two clients.
    const id = `${this.#idPrefix}${shortDigest([sub, clientId ?? azp ?? ''])}`;
    return {
      principal: { id, name: `oauth ${sub.slice(0, 80)}` },
      expiresAt: (exp + this.rules.clockSkewSeconds) * 1_000,
    };
  }

  async #key(...question: Parameters<JWTVerifyGetKey>): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
    const { errors } = await import('jose');
    try {
      this.#keys ??= this.#open();
      const keys = await this.#keys;
      return await keys(...question);
    } catch (error) {
      const isOfToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isOfToken || error instanceof errors.JOSENotSupported) throw error;
      throw new KeysUnavailable('the keys of the authorization server cannot be read', { cause: error });
    }
  }

  async #open(): Promise<JWTVerifyGetKey> {
    try {
      const { createRemoteJWKSet, customFetch } = await import('jose');
      const { jwksUrl, issuer } = this.rules;
      const url = jwksUrl ?? (await this.#patiently(() => findKeysUrl(issuer, (at) => ask(at, { redirect: 'error' }))));
      return createRemoteJWKSet(new URL(url), {
        [customFetch]: (at: string, init: RequestInit) => this.#patiently(() => ask(at, init)),
      });
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }

  /** Returns how long keys are not requested because an attempt has just failed, in milliseconds. */
  #pauseMs(): number {
    return Math.max(0, this.#failedAt + RETRY_MS - performance.now());
  }

  /** Tokens for which keys must be fetched wait for the next attempt; those for which they are there never do. */
  async #patiently<Found>(attempt: () => Promise<Found>): Promise<Found> {
    if (this.#pauseMs() > 0) throw new Error('it did not answer a moment ago');
    try {
      return await attempt();
    } catch (error) {
      this.#failedAt = performance.now();
      throw error;
    }
  }
}

/**
 * Returns whether a token with this `typ` can be an access token: an issuer signs ID tokens, logout tokens and others with
 * the same keys (RFC 9068, section 4). The type is compared without regard to case, and `application/` may be before it.
 */
function isAccessTokenType(typ: unknown): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && TYPES.has(typ.toLowerCase().replace(/^application\//, ''));
}

/** @throws Error if there is no answer, or none that can be used */
async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}

function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<unknown> {
  if (typeof scope === 'string') return new Set(scope.split(' '));
  if (typeof scp === 'string') return new Set(scp.split(' '));
  return new Set(Array.isArray(scp) ? scp : []);
}

function shortDigest(value: unknown): string {
  return sha256(JSON.stringify(value)).toString('base64url').slice(0, 16);
}
