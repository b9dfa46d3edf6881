import { createHash } from 'node:crypto';

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Returns the token of an Authorization header; `undefined` if there is none (RFC 6750, section 2.1). */
export function bearerIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
