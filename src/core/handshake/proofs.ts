import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The two ends of a local socket. Each proves that it knows the secret of the gateway's record. */
export type Role = 'client' | 'gateway';

/** One nonce of each end, so that no proof can be used again. */
export interface Nonces {
  readonly client: string;
  readonly gateway: string;
}

const BYTES = 32;
const HEX = /^[\da-f]{64}$/;

/** Returns an unguessable text, for a secret or a nonce. */
export function newToken(): string {
  return randomBytes(BYTES).toString('hex');
}

/** Returns whether a value has the form of a secret, a nonce or a proof. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value);
}

/** Returns the proof of one end that it knows a secret. The roles have different proofs: an echo proves nothing. */
export function proofOf(secret: string, role: Role, { client, gateway }: Nonces): string {
  return createHmac('sha256', secret).update(`viaduct ${role} ${client} ${gateway}`).digest('hex');
}

/** Returns whether a proof is right. Takes the same time wherever it is wrong. */
export function isProof(given: unknown, expected: string): boolean {
  return isToken(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
