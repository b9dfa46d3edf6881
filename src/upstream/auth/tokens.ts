import { OAuthError, type OAuthTokens } from '@modelcontextprotocol/client';
import type { Credentials, Tokens } from '../../core/stores/credentials.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { Token } from './token-source.ts';

/** Tokens as they came, with the times that they mean. */
export function tokensOf(answer: OAuthTokens, askedScope: string | undefined): Tokens {
  const issuedAt = Date.now();
  const scope = answer.scope ?? askedScope;
  return {
    accessToken: answer.access_token,
    issuedAt,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.expires_in !== undefined && { expiresAt: issuedAt + answer.expires_in * 1_000 }),
    ...(scope !== undefined && { scope }),
  };
}

/** Returns the part of the tokens that is kept in memory: the refresh token stays in the store. */
export function tokenOf({ accessToken, refreshToken, scope, issuedAt, expiresAt }: Tokens): Token {
  return { accessToken, scope, issuedAt, expiresAt, isRenewable: refreshToken !== undefined };
}

/** Returns the stored token if it has not expired and differs from the one that no longer works. */
export function newerThan(instead: Token | undefined, kept: Tokens | undefined): Token | undefined {
  if (kept === undefined || kept.accessToken === instead?.accessToken) return undefined;
  const isOver = kept.expiresAt !== undefined && kept.expiresAt <= Date.now();
  return isOver ? undefined : tokenOf(kept);
}

/** Returns the credentials without their tokens: what remains is the record of who issued them to whom. */
export function withoutTokens({ tokens: _tokens, ...rest }: Credentials): Credentials {
  return rest;
}

/** The authorization server has said no, and would say so again. */
export function isRefusal(error: unknown): error is OAuthError {
  return error instanceof OAuthError && FINAL.has(error.code);
}

const FINAL: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
]);

/** Returns a failure as it may be shown: the words of an authorization server may repeat what it was sent. */
export function shownFailure(error: unknown, issuer: string): unknown {
  if (!(error instanceof OAuthError)) return error;
  return new Error(`${issuer} answered with ${cutText(error.code, 60)}`, { cause: error });
}

/** Scopes of all texts, each once. */
export function unionOfScopes(...texts: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(texts.flatMap((text) => text?.split(' ').filter((scope) => scope !== '') ?? []));
  return scopes.size === 0 ? undefined : [...scopes].join(' ');
}
