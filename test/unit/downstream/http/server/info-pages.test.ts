import { expect, test } from 'vitest';
import { healthFor, metadataAt } from '../../../../../src/downstream/http/server/info-pages.ts';

const health = () => ({ status: 'healthy' });
const NOBODY = { id: '', name: '' };
const SOMEBODY = { id: 'token', name: 'ci' };
const LIMITED = { ...SOMEBODY, access: { upstreams: [], workflows: [], tools: { allow: [], deny: [] }, projects: [] } };

test.each([
  ['anybody on loopback', NOBODY, '127.0.0.1', true],
  ['anybody beyond it', NOBODY, '0.0.0.0', false],
  ['whoever has proved to be somebody', SOMEBODY, '0.0.0.0', true],
  ['whoever may not see everything', LIMITED, '127.0.0.1', false],
])('%s: details %s', (_who, principal, host, isTold) => {
  expect(JSON.parse(healthFor(principal, { host, health }, 3))).toEqual({
    ok: true,
    sessions: 3,
    ...(isTold && { status: 'healthy' }),
  });
});

test('the metadata is on its own path only, and nowhere without an authorization server', () => {
  const rules = { audience: 'https://gw.example/mcp', issuer: 'https://as.example', scopes: [] };
  const auth = { oauth: { rules } } as never;
  const path = '/.well-known/oauth-protected-resource/mcp';
  expect(JSON.parse(metadataAt(path, auth)!)).toMatchObject({ resource: rules.audience });
  expect([metadataAt('/mcp', auth), metadataAt(path, { oauth: undefined } as never)]).toEqual([undefined, undefined]);
});
