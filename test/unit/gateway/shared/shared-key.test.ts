import { expect, test } from 'vitest';
import { newToken } from '../../../../src/core/handshake/proofs.ts';
import { sharedKey } from '../../../../src/gateway/shared/shared-key.ts';

const SECRET = newToken();
const IDENTITY = { configPath: '/c/viaduct.yaml', isOfFolder: false, variables: ['A', 'B'] };
const KEY = sharedKey(SECRET, IDENTITY, { A: '1' });

test('clients with the same config and values have the same key, whatever else is in their environment', () => {
  expect(sharedKey(SECRET, IDENTITY, { A: '1', OTHER: 'x' })).toBe(KEY);
});

test.each([
  ['value', IDENTITY, { A: '2' }],
  ['empty value', IDENTITY, { A: '1', B: '' }],
  ['config', { ...IDENTITY, configPath: '/d/viaduct.yaml' }, { A: '1' }],
  ['way to find it', { ...IDENTITY, isOfFolder: true }, { A: '1' }],
  ['set of variables', { ...IDENTITY, variables: ['A'] }, { A: '1' }],
])('another %s gives another key', (_name, identity, env) => {
  expect(sharedKey(SECRET, identity, env)).not.toBe(KEY);
});

test('nobody can try out values without the secret of the machine', () => {
  expect(sharedKey(newToken(), IDENTITY, { A: '1' })).not.toBe(KEY);
});
