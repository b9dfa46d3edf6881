import { timingSafeEqual } from 'node:crypto';
import type { Permissions } from '../../../core/access/permissions.ts';
import { sha256 } from './bearer.ts';
import type { Credential } from './credential.ts';

/** A bearer token, of which only the digest is known. */
export interface StaticToken {
  readonly name: string;
  /** SHA-256. */
  readonly digest: Buffer;
  readonly access: Permissions | undefined;
  /** Milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAt: number;
}

/** The bearer tokens of the config. */
export class StaticTokens {
  readonly #entries: readonly { readonly digest: Buffer; readonly credential: Credential }[];

  constructor(tokens: readonly StaticToken[]) {
    this.#entries = tokens.map((token) => ({ digest: token.digest, credential: credentialOf(token) }));
  }

  /** Returns the credential of the token with this digest. Compares all tokens, so that the time tells nothing. */
  find(digest: Buffer): Credential | undefined {
    let found: Credential | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found = entry.credential;
    return found !== undefined && found.expiresAt > Date.now() ? found : undefined;
  }

  /** Returns true if a principal still belongs to a valid token. */
  has(principalId: string): boolean {
    const now = Date.now();
    return this.#entries.some(
      ({ credential: { principal, expiresAt } }) => principal.id === principalId && expiresAt > now,
    );
  }
}

/** A token with another digest, or another access, is another principal: what the old one has begun ends. */
function credentialOf({ name, digest, access, expiresAt }: StaticToken): Credential {
  const version = sha256(JSON.stringify([digest.toString('hex'), access ?? null]))
    .toString('base64url')
    .slice(0, 16);
  return { principal: { id: `token:${name}:${version}`, name, access }, expiresAt };
}
