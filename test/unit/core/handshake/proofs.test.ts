import { expect, test } from 'vitest';
import { isProof, newToken, proofOf } from '../../../../src/core/handshake/proofs.ts';

const SECRET = newToken();
const NONCES = { client: newToken(), gateway: newToken() };

test('a proof is good for one role, one secret and one pair of nonces', () => {
  const proof = proofOf(SECRET, 'gateway', NONCES);
  expect(isProof(proof, proofOf(SECRET, 'gateway', NONCES))).toBe(true);
  for (const other of [
    proofOf(SECRET, 'client', NONCES),
    proofOf(newToken(), 'gateway', NONCES),
    proofOf(SECRET, 'gateway', { ...NONCES, client: newToken() }),
    proofOf(SECRET, 'gateway', { ...NONCES, gateway: newToken() }),
  ])
    expect(isProof(proof, other)).toBe(false);
});

test.each([undefined, 7, '', 'f'.repeat(63), 'g'.repeat(64)])('%o is no proof', (given) => {
  expect(isProof(given, proofOf(SECRET, 'client', NONCES))).toBe(false);
});
