import { readFile } from 'node:fs/promises';
import {
  ClientCredentialsProvider,
  type FetchLike,
  fetchToken,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
} from '@modelcontextprotocol/client';
import type { KeyAuth, RemoteEntry, SecretAuth } from '../../core/upstream-entry.ts';
import { NeedsAuthError } from '../transports/transport.ts';
import { type AuthorizationServer, findAuthorizationServer } from './authorization-server.ts';
import type { Challenge, Token, TokenSource } from './token-source.ts';
import { isRefusal, shownFailure, tokenOf, tokensOf } from './tokens.ts';

export interface MachineTokensOptions {
  readonly entry: RemoteEntry;
  readonly auth: SecretAuth | KeyAuth;
  readonly fetchFn: FetchLike;
  onSecrets(secrets: readonly string[]): void;
}

/** Tokens that the gateway gets by itself (client credentials). They are kept in memory only: the next ones cost nothing. */
export class MachineTokens implements TokenSource {
  readonly #options: MachineTokensOptions;
  #token: Token | undefined;
  #server: AuthorizationServer | undefined;

  constructor(options: MachineTokensOptions) {
    this.#options = options;
  }

  stored(): Promise<Token | undefined> {
    return Promise.resolve(this.#token);
  }

  async renew(_instead: Token | undefined, challenge: Challenge): Promise<Token> {
    const { entry, fetchFn } = this.#options;
    this.#server ??= await findAuthorizationServer(entry, fetchFn, challenge.resourceMetadata);
    const { issuer, metadata, resource, scopes } = this.#server;
    const { auth } = this.#options;
    const scope = auth.scopes?.join(' ') ?? challenge.scope ?? scopes?.join(' ');
    try {
      const answer = await fetchToken(await this.#provider(issuer), issuer, {
        metadata,
        resource: resource,
        fetchFn,
        ...(scope !== undefined && { scope }),
      });
      const tokens = tokensOf(answer, scope);
      this.#options.onSecrets([tokens.accessToken]);
      // There is always another one, without a refresh token.
      this.#token = { ...tokenOf(tokens), isRenewable: true };
      return this.#token;
    } catch (error) {
      if (!isRefusal(error)) throw shownFailure(error, issuer);
      throw new NeedsAuthError(`${issuer} refuses upstreams.${entry.key}.auth of the config (${error.code})`);
    }
  }

  widen(_token: Token | undefined, { scope }: Challenge): Promise<string> {
    const wanted = scope === undefined ? 'wider scopes' : `the scopes "${scope}"`;
    return Promise.resolve(`it wants ${wanted}: see upstreams.${this.#options.entry.key}.auth.scopes in the config`);
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
