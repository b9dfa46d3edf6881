import { readFile } from 'node:fs/promises';
import {
  ClientCredentialsProvider,
  type FetchLike,
  fetchToken,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
} from '@modelcontextprotocol/client';
import type { KeyAuth, RemoteEntry, SecretAuth } from '../../core/settings/upstream-entry.ts';
import type { CredentialStore, Credentials } from '../../core/stores/credentials.ts';
import { NeedsAuthError } from '../transports/transport.ts';
import { mendingFetch } from './answers/mending-fetch.ts';
import { checkBinding, findAuthorizationServer } from './authorization-server.ts';
import { ServerClock } from './server-clock.ts';
import { shownScopes } from './shown-scopes.ts';
import type { Challenge, Token, TokenSource } from './token-source.ts';
import { isRefusal, newerThan, shownFailure, tokenOf, tokensOf, withoutTokens } from './tokens.ts';

export interface MachineTokensOptions {
  readonly entry: RemoteEntry;
  readonly auth: SecretAuth | KeyAuth;
  readonly store: CredentialStore;
  readonly fetchFn: FetchLike;
  onSecrets(secrets: readonly string[]): void;
}

/**
 * Tokens that the gateway gets by itself (client credentials). All processes use the same one: to some authorization
 * servers the next token is the end of the one before.
 */
export class MachineTokens implements TokenSource {
  readonly #options: MachineTokensOptions;
  /** The url of the metadata that the upstream named last. */
  #resourceMetadata: string | undefined;

  constructor(options: MachineTokensOptions) {
    this.#options = options;
  }

  async stored(): Promise<Token | undefined> {
    const tokens = (await this.#load())?.tokens;
    return tokens === undefined ? undefined : renewable(tokenOf(tokens));
  }

  async renew(instead: Token | undefined, challenge: Challenge): Promise<Token> {
    const { entry, store } = this.#options;
    const newer = newerThan(instead, (await this.#load())?.tokens);
    if (newer !== undefined) return renewable(newer);
    return store.exclusively(entry, async () => {
      const before = await this.#load();
      return renewable(newerThan(instead, before?.tokens) ?? (await this.#ask(challenge, before)));
    });
  }

  async #ask(challenge: Challenge, before: Credentials | undefined): Promise<Token> {
    const { entry, auth, store } = this.#options;
    const clock = new ServerClock(this.#options.fetchFn);
    this.#resourceMetadata = challenge.resourceMetadata ?? this.#resourceMetadata;
    const server = await findAuthorizationServer(entry, clock.fetch, this.#resourceMetadata);
    const { issuer, metadata, resource, foundAt } = server;
    checkBinding(entry, issuer, before);
    const scope = auth.scopes?.join(' ') ?? challenge.scope ?? before?.tokens?.scope ?? server.scopes?.join(' ');
    try {
      const answer = await fetchToken(await this.#provider(issuer), issuer, {
        metadata,
        resource,
        fetchFn: mendingFetch('tokens', clock.fetch),
        ...(scope !== undefined && { scope }),
      });
      const tokens = tokensOf(answer, scope);
      this.#options.onSecrets([tokens.accessToken]);
      await store.save(entry, {
        issuer,
        resource,
        client: { id: auth.clientId },
        tokens,
        ...(foundAt !== undefined && { foundAt }),
      });
      return tokenOf(tokens);
    } catch (error) {
      if (!isRefusal(error)) throw shownFailure(error, issuer);
      if (before !== undefined) await store.save(entry, withoutTokens(before));
      // A signature holds for minutes only.
      const hint = auth.type === 'private-key-jwt' ? clock.hint() : '';
      throw new NeedsAuthError(`${issuer} refuses upstreams.${entry.key}.auth of the config (${error.code})${hint}`);
    }
  }

  async #load(): Promise<Credentials | undefined> {
    const credentials = await this.#options.store.load(this.#options.entry);
    if (credentials?.tokens !== undefined) this.#options.onSecrets([credentials.tokens.accessToken]);
    return credentials;
  }

  widen(_token: Token | undefined, { scope }: Challenge): Promise<string> {
    const where = `upstreams.${this.#options.entry.key}.auth.scopes in the config`;
    return Promise.resolve(`it wants ${shownScopes(scope)}: see ${where}`);
  }

  async #provider(issuer: string): Promise<OAuthClientProvider> {
    const { auth } = this.#options;
    const { clientId } = auth;
    const clientName = 'Viaduct';
    if (auth.type === 'client-credentials')
      return new ClientCredentialsProvider({
        clientId,
        clientSecret: auth.clientSecret,
        clientName,
        expectedIssuer: issuer,
      });
    const privateKey = await this.#privateKey(auth.key);
    return new PrivateKeyJwtProvider({
      clientId,
      clientName,
      privateKey,
      algorithm: auth.alg,
      expectedIssuer: issuer,
    });
  }

  async #privateKey(key: string): Promise<string> {
    if (key.includes('-----BEGIN ')) return key;
    const text = await readFile(key, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new NeedsAuthError(`the key of upstreams.${this.#options.entry.key}.auth cannot be read (${error.code})`);
    });
    this.#options.onSecrets(text.split('\n').filter((line) => line !== '' && !line.startsWith('-----')));
    return text;
  }
}

/** Returns the token as renewable: a new one can always be requested without a refresh token. */
const renewable = (token: Token): Token => ({ ...token, isRenewable: true });
