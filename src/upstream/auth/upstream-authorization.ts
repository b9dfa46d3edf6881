import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteEntry, UpstreamAuth } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore } from '../../core/stores/credentials.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Authorization, type AuthRefusal, NeedsAuthError, type RequestFailure } from '../transports/transport.ts';
import type { Token, TokenSource } from './token-source.ts';

/** A token is renewed before its end: by a tenth of its life, by a minute at most. */
const MAX_SKEW_MS = 60_000;
/**
 * The shortest time between a renewal and the next one without a refusal, in milliseconds: no server may have been
 * reached, or the new token may expire at once.
 */
const PAUSE_MS = 10_000;
/** Times in tokens are whole seconds, and clocks that are set by the network differ by less than one. */
const GRACE_MS = 2_000;
const MAX_REASON = 500;

export interface UpstreamAuthorizationOptions {
  readonly entry: RemoteEntry;
  readonly auth: UpstreamAuth;
  readonly store: CredentialStore;
  /** The gateway's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/**
 * Says to one upstream who we are, with a token from memory. However many requests are refused at a time, one renewal
 * serves all of them. What knows OAuth is loaded when it is needed: most upstreams never ask.
 */
export class UpstreamAuthorization implements Authorization {
  readonly #options: UpstreamAuthorizationOptions;
  #source: Promise<TokenSource> | undefined;
  #token: Token | undefined;
  /** The time at which the login that the token comes from was saved. */
  #savedAt: number | undefined;
  #renewal: Promise<Token | undefined> | undefined;
  /** The access token that was refused last, and for good. */
  #dead: string | undefined;
  #notBefore = 0;
  /** The time until which a new token may be refused. */
  #grace: { readonly of: string; readonly until: number } | undefined;

  constructor(options: UpstreamAuthorizationOptions) {
    this.#options = options;
  }

  async prepare(): Promise<void> {
    await this.reload();
    if (this.#token?.isRenewable === true && isOver(this.#token)) await this.#renew(undefined);
  }

  headers(): { readonly authorization?: string } {
    const token = this.#token;
    if (token === undefined) return {};
    if (token.isRenewable && isAging(token) && Date.now() >= this.#notBefore)
      this.#renew(undefined).catch(() => undefined);
    return { authorization: headerOf(token) };
  }

  async onRefused(refusal: AuthRefusal): Promise<'retry' | RequestFailure | undefined> {
    try {
      return refusal.status === 401 ? await this.#onUnauthorized(refusal) : await this.#onForbidden(refusal);
    } catch (error) {
      const reason = cutText(error instanceof Error ? error.message : String(error), MAX_REASON);
      if (error instanceof NeedsAuthError) return needsAuth(reason, refusal.status);
      this.#options.log.warn({ event: 'auth', error }, 'a token could not be had');
      return { code: 'UPSTREAM_NOT_CONNECTED', reason: `a token could not be had: ${reason}`, effect: 'none' };
    }
  }

  async reload(): Promise<boolean> {
    const { entry, store } = this.#options;
    const note = store.note(entry);
    if (note?.savedAt !== this.#savedAt) {
      this.#savedAt = note?.savedAt;
      this.#token = note?.hasTokens === true ? await (await this.#open()).stored() : undefined;
    }
    return this.#token !== undefined && this.#token.accessToken !== this.#dead;
  }

  async #onUnauthorized({
    authorization,
    challenge,
    isRepeated,
  }: AuthRefusal): Promise<'retry' | RequestFailure | undefined> {
    // Meanwhile there is another token.
    if (this.#token !== undefined && headerOf(this.#token) !== authorization) return 'retry';
    if (!isRepeated) return (await this.#renew(challenge)) === undefined ? undefined : 'retry';
    if (await this.#waitForItsClock()) return 'retry';
    this.#dead = this.#token?.accessToken;
    return needsAuth(`it refuses a token that is new. See: viaduct auth status ${this.#options.entry.key}`, 401);
  }

  /**
   * Waits, once per token, in case the server's clock is behind and a new token is not valid there yet. Returns true if
   * it waited.
   */
  async #waitForItsClock(): Promise<boolean> {
    const { accessToken } = this.#token ?? {};
    if (accessToken === undefined) return false;
    const now = performance.now();
    if (this.#grace?.of !== accessToken) this.#grace = { of: accessToken, until: now + GRACE_MS };
    const leftMs = this.#grace.until - now;
    if (leftMs <= 0) return false;
    await delay(leftMs, undefined, { ref: false });
    return true;
  }

  async #onForbidden({ authorization, challenge }: AuthRefusal): Promise<'retry' | RequestFailure | undefined> {
    if (challenge === undefined) return undefined;
    const { readChallenge } = await import('./challenge.ts');
    const read = readChallenge(challenge);
    if (read.error !== 'insufficient_scope') return undefined;
    if (this.#token !== undefined && headerOf(this.#token) !== authorization) return 'retry';
    return needsAuth(await (await this.#open()).widen(this.#token, read), 403);
  }

  #renew(challenge: string | undefined): Promise<Token | undefined> {
    this.#renewal ??= this.#renewOnce(challenge).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewOnce(challenge: string | undefined): Promise<Token | undefined> {
    const { entry, store, log } = this.#options;
    const instead = this.#token;
    const source = await this.#open();
    const { readChallenge } = await import('./challenge.ts');
    try {
      this.#token = await source.renew(instead, readChallenge(challenge));
      if (this.#token !== undefined)
        log.info({ event: 'auth', expiresAt: this.#token.expiresAt }, 'there is a new token');
    } catch (error) {
      if (error instanceof NeedsAuthError) {
        this.#dead = instead?.accessToken;
        this.#token = undefined;
      }
      throw error;
    } finally {
      this.#notBefore = Date.now() + PAUSE_MS;
      this.#savedAt = store.note(entry)?.savedAt;
    }
    return this.#token;
  }

  #open(): Promise<TokenSource> {
    this.#source ??= this.#load();
    return this.#source;
  }

  async #load(): Promise<TokenSource> {
    const { entry, auth, store, env, onSecrets, log } = this.#options;
    const { guardedFetch } = await import('./guarded-fetch.ts');
    const fetchFn = guardedFetch({ entry, env });
    if (auth.type === 'oauth') {
      const { LoginTokens } = await import('./login-tokens.ts');
      const onUnsaved = (error: unknown) =>
        log.error({ event: 'auth', error }, 'the new tokens could not be stored: they are lost when the gateway ends');
      return new LoginTokens({ entry, auth, store, fetchFn, onSecrets, onUnsaved });
    }
    const { MachineTokens } = await import('./machine-tokens.ts');
    return new MachineTokens({ entry, auth, store, fetchFn, onSecrets });
  }
}

const headerOf = ({ accessToken }: Token): string => `Bearer ${accessToken}`;

const isOver = ({ expiresAt }: Token): boolean => expiresAt !== undefined && Date.now() >= expiresAt;

function isAging({ issuedAt, expiresAt }: Token): boolean {
  if (expiresAt === undefined) return false;
  return Date.now() >= expiresAt - Math.min(MAX_SKEW_MS, (expiresAt - issuedAt) / 10);
}

function needsAuth(reason: string, status: number): RequestFailure {
  return { code: 'UPSTREAM_NEEDS_AUTH', reason, effect: 'none', status };
}
