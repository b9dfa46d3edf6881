import { createHmac } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { AccessTokens, type OAuthRules } from '../../../../../src/downstream/http/auth/access-tokens.ts';
import { AUDIENCE, startIssuer, type TokenIssuer } from '../../../../support/auth/token-issuer.ts';

function rulesOf(issuer: TokenIssuer, more: Partial<OAuthRules> = {}): OAuthRules {
  return {
    issuer: issuer.url,
    audience: AUDIENCE,
    jwksUrl: undefined,
    scopes: [],
    requiredScopes: [],
    clockSkewSeconds: 0,
    ...more,
  };
}

async function setUp(more: Partial<OAuthRules> = {}) {
  const issuer = await startIssuer();
  return { issuer, tokens: new AccessTokens(rulesOf(issuer, more)) };
}

const now = () => Math.floor(Date.now() / 1_000);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each(['ES256', 'RS256', 'EdDSA'] as const)('a token signed with %s is taken', async (algorithm) => {
  const { issuer, tokens } = await setUp();
  const found = await tokens.verify(await issuer.sign({}, { algorithm }));
  expect(found).toMatchObject({ principal: { name: 'oauth alice' } });
  expect('principal' in found && tokens.has(found.principal.id)).toBe(true);
});

describe('the type in the header of a token (RFC 9068, section 4)', () => {
  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/JWT'])(
    'may be %s',
    async (typ) => {
      const { issuer, tokens } = await setUp();
      expect(await tokens.verify(await issuer.sign({}, { typ }))).toMatchObject({ principal: { name: 'oauth alice' } });
    },
  );

  test.each(
    ['id+jwt', 'logout+jwt', 'dpop+jwt', 'application/logout+jwt', 'application/application/jwt', 'text/jwt']
      .concat('at+jwt ', '')
      .map((typ): { typ: unknown } => ({ typ }))
      .concat({ typ: 42 }, { typ: null }, { typ: ['JWT'] }),
  )('may not be $typ', async ({ typ }) => {
    const { issuer, tokens } = await setUp();
    expect(await tokens.verify(await issuer.sign({}, { typ }))).toEqual({
      kind: 'invalid',
      reason: 'its typ is that of another kind of token',
    });
  });
});

describe('a token is not valid', () => {
  test.each([
    ['for another audience', { aud: 'https://other.example.com/mcp' }],
    ['for an audience that ours begins with', { aud: 'https://mcp.example.com/' }],
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['that has expired', { exp: now() - 1 }],
    ['that begins later', { nbf: now() + 3_600 }],
    ['without an end', { exp: undefined }],
    ['of nobody', { sub: undefined }],
    ['without an audience', { aud: undefined }],
  ])('%s', async (_what, claims) => {
    const { issuer, tokens } = await setUp();
    expect(await tokens.verify(await issuer.sign(claims as JWTPayload))).toMatchObject({ kind: 'invalid' });
  });

  test('with a signature by another key', async () => {
    const { issuer, tokens } = await setUp();
    expect(await tokens.verify(await issuer.sign({}, { isForged: true }))).toMatchObject({ kind: 'invalid' });
  });

  test('with a key that nobody has published', async () => {
    const { issuer, tokens } = await setUp();
    expect(await tokens.verify(await issuer.sign({}, { kid: 'x' }))).toMatchObject({ kind: 'invalid' });
  });

  test('without a signature, or with one by a shared secret', async () => {
    const { issuer, tokens } = await setUp();
    const [, claims] = (await issuer.sign()).split('.');
    const none = `${part({ alg: 'none' })}.${claims}.`;
    const body = `${part({ alg: 'HS256', kid: 'ES256' })}.${claims}`;
    const keys = await (await fetch(`${issuer.url}/keys`)).text();
    const shared = `${body}.${createHmac('sha256', keys).update(body).digest('base64url')}`;
    for (const token of [none, shared, 'a.b.c', '..']) {
      expect(await tokens.verify(token)).toMatchObject({ kind: 'invalid' });
    }
  });
});

test('clocks may differ as much as is allowed', async () => {
  const { issuer, tokens } = await setUp({ clockSkewSeconds: 60 });
  expect(await tokens.verify(await issuer.sign({ exp: now() - 30 }))).toMatchObject({ principal: {} });
});

test.each([
  ['scope, separated by blanks', { scope: 'a mcp' }, true],
  ['scp as a list', { scp: ['mcp', 'b'] }, true],
  ['a scope whose name begins like it', { scope: 'mcp:read' }, false],
  ['none', {}, false],
])('a required scope in %s', async (_where, claims, isEnough) => {
  const { issuer, tokens } = await setUp({ requiredScopes: ['mcp'] });
  const outcome = await tokens.verify(await issuer.sign(claims));
  expect('principal' in outcome ? true : outcome.kind).toBe(isEnough || 'insufficient');
});

test('users and their programs are told apart; a new token of one is the same principal', async () => {
  const { issuer, tokens } = await setUp();
  const idOf = async (claims: JWTPayload) => {
    const found = await tokens.verify(await issuer.sign(claims));
    return 'principal' in found ? found.principal.id : '';
  };
  const ids = await Promise.all([idOf({}), idOf({ client_id: 'other' }), idOf({ sub: 'bob' })]);
  expect(new Set(ids).size).toBe(3);
  expect(await idOf({ exp: now() + 900, jti: 'new' })).toBe(ids[0]);
});

test('keys are read once, and cannot be read while the server is down', async () => {
  const { issuer, tokens } = await setUp();
  const token = await issuer.sign();
  issuer.setDown(true);
  expect(await tokens.verify(token)).toMatchObject({ kind: 'unavailable' });
  issuer.setDown(false);
  const others = new AccessTokens(rulesOf(issuer));
  await Promise.all(Array.from({ length: 5 }, () => others.verify(token)));
  expect(issuer.keyReads()).toBe(1);
  issuer.setDown(true);
  expect(await others.verify(await issuer.sign({}, { kid: 'x' }))).toMatchObject({ kind: 'invalid' });
  expect(await others.verify(token)).toMatchObject({ principal: {} });
});

test.each([302, 404, 500])(
  'a server that has OpenID metadata only, and answers %d for others, is found',
  async (status) => {
    const issuer = await startIssuer(undefined, status);
    const tokens = new AccessTokens(rulesOf(issuer));
    expect(await tokens.verify(await issuer.sign())).toMatchObject({ principal: {} });
  },
);

test('metadata of another issuer leads nowhere', async () => {
  const issuer = await startIssuer();
  const tokens = new AccessTokens(rulesOf(issuer, { issuer: `${issuer.url}/other` }));
  expect(await tokens.verify(await issuer.sign())).toMatchObject({ kind: 'unavailable' });
});
