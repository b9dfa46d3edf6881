/** An access token and when to ask for the next. */
export interface Token {
  readonly accessToken: string;
  readonly scope?: string | undefined;
  readonly issuedAt: number;
  readonly expiresAt?: number | undefined;
  readonly isRenewable: boolean;
}

/** The challenge with which an upstream refused a request (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly isBearer: boolean;
  readonly error?: string | undefined;
  readonly scope?: string | undefined;
  readonly resourceMetadata?: string | undefined;
}

/** A source of tokens for one upstream. */
export interface TokenSource {
  /** Returns the stored token, without asking a server. */
  stored(): Promise<Token | undefined>;
  /**
   * Returns a token in the place of one that is refused or too old; `undefined` if the refusal has nothing to do with tokens.
   * @throws NeedsAuthError when only the user can help; any other error may pass by itself
   */
  renew(instead: Token | undefined, challenge: Challenge): Promise<Token | undefined>;
  /** Handles a demand for more scopes than the token has. Resolves to what the user has to do. */
  widen(token: Token | undefined, challenge: Challenge): Promise<string>;
}
