import { type FetchLike, refreshAuthorization } from '@modelcontextprotocol/client';
import type { LoginAuth, RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore, Credentials, Tokens } from '../../core/stores/credentials.ts';
import { NeedsAuthError } from '../transports/transport.ts';
import { type Answer, refreshTokenIn } from './answers/mend-answer.ts';
import { mendingFetch } from './answers/mending-fetch.ts';
import { hasProtectedResource } from './authorization-server.ts';
import { clientInformationOf } from './client-identity.ts';
import { readServer } from './server-metadata.ts';
import { shownScopes } from './shown-scopes.ts';
import type { Challenge, Token, TokenSource } from './token-source.ts';
import { isRefusal, newerThan, shownFailure, tokenOf, tokensOf, unionOfScopes, withoutTokens } from './tokens.ts';

export interface LoginTokensOptions {
  readonly entry: RemoteEntry;
  readonly auth: LoginAuth;
  readonly store: CredentialStore;
  readonly fetchFn: FetchLike;
  /** Called with each token that is read or received, before it is used. */
  onSecrets(secrets: readonly string[]): void;
  /** Renewed tokens could not be stored; they are in memory only. */
  onUnsaved(error: unknown): void;
}

/** Tokens of a user who has logged in with `viaduct auth login`. */
export class LoginTokens implements TokenSource {
  readonly #options: LoginTokensOptions;
  /** Credentials that could not be stored, and the save time of the stored ones that they should replace. */
  #unsaved: { readonly credentials: Credentials; readonly over: number | undefined } | undefined;

  constructor(options: LoginTokensOptions) {
    this.#options = options;
  }

  async stored(): Promise<Token | undefined> {
    const tokens = (await this.#load())?.tokens;
    return tokens === undefined ? undefined : tokenOf(tokens);
  }

  async renew(instead: Token | undefined, challenge: Challenge): Promise<Token | undefined> {
    const { entry, store } = this.#options;
    const newer = newerThan(instead, (await this.#load())?.tokens);
    if (newer !== undefined) return newer;
    if (store.note(entry)?.isRenewable !== true) return this.#askForLogin(challenge);
    // Only one process renews, because a refresh token can be used only once; the others find the tokens it stored.
    return store.exclusively(entry, async () => {
      const credentials = await this.#load();
      return newerThan(instead, credentials?.tokens) ?? (await this.#refresh(credentials, challenge));
    });
  }

  async widen(token: Token | undefined, challenge: Challenge): Promise<string> {
    this.#remember(unionOfScopes(token?.scope, challenge.scope), challenge);
    return `it wants ${shownScopes(challenge.scope)} for this. Log in again: ${this.#command()}`;
  }

  async #refresh(credentials: Credentials | undefined, challenge: Challenge): Promise<Token | undefined> {
    const refreshToken = credentials?.tokens?.refreshToken;
    if (credentials === undefined || refreshToken === undefined) return this.#askForLogin(challenge);
    const { store, entry, fetchFn } = this.#options;
    const { issuer, metadata } = await readServer(credentials, entry, fetchFn);
    try {
      const answer = await refreshAuthorization(issuer, {
        metadata,
        clientInformation: clientInformationOf(credentials.client, this.#options.auth),
        refreshToken,
        resource: credentials.resource,
        fetchFn: mendingFetch('tokens', fetchFn, { onAnswer: (answer) => this.#keepRotated(credentials, answer) }),
      });
      const tokens = tokensOf(answer, credentials.tokens?.scope);
      this.#onTokens(tokens);
      await this.#keep({ ...credentials, tokens });
      return tokenOf(tokens);
    } catch (error) {
      if (!isRefusal(error)) throw shownFailure(error, issuer);
      await store.save(entry, withoutTokens(credentials));
      throw new NeedsAuthError(`its tokens are no longer valid (${error.code}). Log in again: ${this.#command()}`);
    }
  }

  /** The old refresh token is used up as soon as there is a new one, so that is kept regardless of the rest of the answer. */
  async #keepRotated(credentials: Credentials, answer: Answer): Promise<void> {
    const refreshToken = refreshTokenIn(answer);
    const { tokens } = credentials;
    if (refreshToken === undefined || tokens === undefined || refreshToken === tokens.refreshToken) return;
    this.#options.onSecrets([refreshToken]);
    await this.#keep({ ...credentials, tokens: { ...tokens, refreshToken } });
  }

  /**
   * Stores the credentials. If that fails, this process keeps using them and tries to store them again when it next
   * loads tokens.
   */
  async #keep(credentials: Credentials): Promise<void> {
    const { entry, store } = this.#options;
    try {
      await store.save(entry, credentials);
      this.#unsaved = undefined;
    } catch (error) {
      this.#unsaved = { credentials, over: store.note(entry)?.savedAt };
      this.#options.onUnsaved(error);
    }
  }

  /** Tries again to store unsaved credentials, unless a login or renewal was stored since. */
  async #retryUnsaved(): Promise<Credentials | undefined> {
    const { entry, store } = this.#options;
    if (this.#unsaved === undefined) return undefined;
    const { credentials, over } = this.#unsaved;
    if (store.note(entry)?.savedAt !== over) this.#unsaved = undefined;
    else await this.#keep(credentials);
    return this.#unsaved?.credentials;
  }

  /** @throws NeedsAuthError, unless nothing says that this upstream has anything to do with OAuth */
  async #askForLogin(challenge: Challenge): Promise<undefined> {
    const { entry, auth, fetchFn } = this.#options;
    if (!auth.isWritten && !challenge.isBearer && !(await hasProtectedResource(entry, fetchFn))) return undefined;
    this.#remember(challenge.scope, challenge);
    throw new NeedsAuthError(`it wants authorization. Log in: ${this.#command()}`);
  }

  #remember(scope: string | undefined, { resourceMetadata }: Challenge): void {
    this.#options.store.want(this.#options.entry, {
      ...(scope !== undefined && { scope }),
      ...(resourceMetadata !== undefined && { resourceMetadata }),
    });
  }

  async #load(): Promise<Credentials | undefined> {
    const credentials = (await this.#retryUnsaved()) ?? (await this.#options.store.load(this.#options.entry));
    if (credentials?.tokens !== undefined) this.#onTokens(credentials.tokens);
    return credentials;
  }

  #onTokens({ accessToken, refreshToken }: Tokens): void {
    this.#options.onSecrets([accessToken, ...(refreshToken === undefined ? [] : [refreshToken])]);
  }

  #command(): string {
    return `viaduct auth login ${this.#options.entry.key}`;
  }
}
