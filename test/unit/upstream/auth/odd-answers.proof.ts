import { describe, expect, test } from 'vitest';
import {
  type AuthorizationScript,
  type Changes,
  type Document,
  metadataOf,
  startScriptedAuthorization,
  userOf,
} from '../../../support/auth/scripted-authorization.ts';

const NULLS = { jwks_uri: null, service_documentation: null, grant_types_supported: null, scopes_supported: null };

/** What is not as the standards have it, by document. */
const SHAPES: readonly (readonly [Document, string, Changes])[] = [
  ['resource', 'null scopes', { scopes_supported: null }],
  ['resource', 'scopes in one text', { scopes_supported: 'read write' }],
  ['resource', 'an empty list of scopes', { scopes_supported: [] }],
  ['resource', 'scopes as an object with numbers', { scopes_supported: { 0: 'read', 2: 'write' } }],
  ['resource', 'one server as text', { authorization_servers: 'ORIGIN' }],
  ['resource', 'null among its servers', { authorization_servers: [null, '', 'ORIGIN'] }],
  ['resource', 'null servers', { authorization_servers: null }],
  ['resource', 'no resource', { resource: undefined }],
  ['resource', 'a null resource', { resource: null }],
  ['resource', 'an empty resource', { resource: '' }],
  ['resource', 'a slash behind the resource', { resource: 'ORIGIN/mcp/' }],
  ['resource', 'a slash behind the server', { authorization_servers: ['ORIGIN/'] }],
  ['resource', 'nulls elsewhere', { jwks_uri: null, resource_name: null, bearer_methods_supported: 'header' }],
  ['server', 'nulls elsewhere', NULLS],
  [
    'server',
    'empty texts elsewhere',
    { service_documentation: '', revocation_endpoint: '', introspection_endpoint: '' },
  ],
  ['server', 'no response types', { response_types_supported: undefined }],
  ['server', 'null response types', { response_types_supported: null }],
  ['server', 'an empty list of response types', { response_types_supported: [] }],
  ['server', 'one response type as text', { response_types_supported: 'code' }],
  ['server', 'one PKCE method as text', { code_challenge_methods_supported: 'S256' }],
  ['server', 'PKCE methods as an object', { code_challenge_methods_supported: { 1: 'S256' } }],
  ['server', 'null ways to prove a client', { token_endpoint_auth_methods_supported: null }],
  ['server', 'ways to prove a client in one text', { token_endpoint_auth_methods_supported: 'none private_key_jwt' }],
  ['server', 'flags as text', { client_id_metadata_document_supported: 'false' }],
  ['server', 'null flags', { client_id_metadata_document_supported: null }],
  ['server', 'a slash behind the issuer', { issuer: 'ORIGIN/' }],
  ['server', 'numbers in the place of texts', { service_documentation: 7, op_policy_uri: 0 }],
  ['registration', 'a null secret', { client_secret: null }],
  ['registration', 'an empty secret', { client_secret: '' }],
  ['registration', 'a number as id', { client_id: 12 }],
  ['registration', 'times as text', { client_id_issued_at: '1764500000', client_secret_expires_at: '0' }],
  ['registration', 'null times', { client_id_issued_at: null, client_secret_expires_at: null }],
  ['registration', 'no redirect uris', { redirect_uris: undefined }],
  ['registration', 'one redirect uri as text', { redirect_uris: 'http://127.0.0.1/callback' }],
  ['registration', 'null lists', { grant_types: null, response_types: null, contacts: null }],
  ['registration', 'nulls elsewhere', { client_uri: null, logo_uri: null, scope: null, jwks_uri: null }],
  ['registration', 'empty texts elsewhere', { client_uri: '', logo_uri: '', jwks_uri: '', software_id: '' }],
  ['registration', 'scopes as a list', { scope: ['read'] }],
  ['registration', 'a null method', { token_endpoint_auth_method: null }],
  ['tokens', 'no type', { token_type: undefined }],
  ['tokens', 'a null type', { token_type: null }],
  ['tokens', 'an empty type', { token_type: '' }],
  ['tokens', 'a type in small letters', { token_type: 'bearer' }],
  ['tokens', 'a lifetime as text', { expires_in: '3600' }],
  ['tokens', 'a null lifetime', { expires_in: null }],
  ['tokens', 'an empty lifetime', { expires_in: '' }],
  ['tokens', 'words as lifetime', { expires_in: 'never' }],
  ['tokens', 'a lifetime of 0', { expires_in: 0 }],
  ['tokens', 'a null scope', { scope: null }],
  ['tokens', 'an empty scope', { scope: '' }],
  ['tokens', 'scopes as a list', { scope: ['read', 'write'] }],
  ['tokens', 'an empty list of scopes', { scope: [] }],
  ['tokens', 'a null id token', { id_token: null }],
  ['tokens', 'an object as id token', { id_token: {} }],
  ['tokens', 'a null error', { error: null, error_description: null }],
  ['tokens', 'a null issuer', { issuer: null }],
];

const CHALLENGE = { isBearer: true };

describe.each(SHAPES)('%s with %s', (document, _name, changes) => {
  test('logs in, renews and takes new refresh tokens', async () => {
    const script: AuthorizationScript = { changes: { [document]: changes } };
    const server = await startScriptedAuthorization(script);
    const user = userOf(server.origin);
    await user.login();
    expect(await user.tokens()).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect((await user.tokens())?.scope).toMatch(/^read( write)?$/);
    const renewed = await user.gateway().renew(await user.gateway().stored(), CHALLENGE);
    expect(renewed).toMatchObject({ accessToken: 'access-2', isRenewable: true });
    expect(await user.tokens()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-1' });
    script.rotates = true;
    for (const count of [3, 4]) {
      await user.gateway().renew(await user.gateway().stored(), CHALLENGE);
      expect(await user.tokens()).toMatchObject({ accessToken: `access-${count}`, refreshToken: `refresh-${count}` });
    }
  });
});

describe('a renewal', () => {
  const loggedIn = async (script: AuthorizationScript = {}) => {
    const server = await startScriptedAuthorization(script);
    const user = userOf(server.origin);
    await user.login();
    return { script, server, ...user };
  };

  test.each([null, '', ' ', [], {}, undefined])(
    'that answers with the refresh token %j keeps the old one',
    async (odd) => {
      const { script, gateway, tokens } = await loggedIn();
      script.changes = { tokens: { refresh_token: odd } };
      for (const count of [2, 3]) {
        await gateway().renew(await gateway().stored(), CHALLENGE);
        expect(await tokens()).toMatchObject({ accessToken: `access-${count}`, refreshToken: 'refresh-1' });
      }
    },
  );

  test.each([
    ['no access token', { access_token: undefined }],
    ['a null access token', { access_token: null }],
    ['an object as access token', { access_token: { value: 'x' } }],
    ['an error besides', { access_token: '', error: 'temporarily_unavailable' }],
  ])('with %s keeps the new refresh token, and the next one works', async (_name, changes) => {
    const { script, gateway, tokens } = await loggedIn({ rotates: true });
    script.changes = { tokens: changes };
    const failed = gateway().renew(await gateway().stored(), CHALLENGE);
    await expect(failed).rejects.toThrow(/has no "access_token"|answered with temporarily_unavailable/);
    expect(await tokens()).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-2' });
    script.changes = {};
    await gateway().renew(await gateway().stored(), CHALLENGE);
    expect(await tokens()).toMatchObject({ accessToken: 'access-3', refreshToken: 'refresh-3' });
  });

  test('whose tokens cannot be stored goes on with them, and stores them later', async () => {
    const { gateway, store, tokens, unsaved } = await loggedIn({ rotates: true });
    const one = gateway();
    const before = await one.stored();
    const save = store.save.bind(store);
    store.save = () => Promise.reject(new Error('no space left'));
    const renewed = await one.renew(before, CHALLENGE);
    expect(renewed).toMatchObject({ accessToken: 'access-2' });
    expect(String(unsaved[0])).toContain('no space left');
    expect(await tokens()).toMatchObject({ refreshToken: 'refresh-1' });
    store.save = save;
    expect(await one.renew(renewed, CHALLENGE)).toMatchObject({ accessToken: 'access-3' });
    expect(await tokens()).toMatchObject({ accessToken: 'access-3', refreshToken: 'refresh-3' });
  });

  test.each([
    ['a null description', 400, { error: 'invalid_grant', error_description: null }],
    ['capitals', 400, { error: 'INVALID_GRANT' }],
    ['an object', 401, { error: { code: 'invalid_grant', message: 'no' } }],
    ["a vendor's name and status 200", 200, { error: 'bad_refresh_token' }],
  ])('that is refused with %s asks for a login', async (_name, status, error) => {
    const { script, gateway } = await loggedIn();
    script.override = ({ path }) => (path === '/token' ? { status, body: JSON.stringify(error) } : undefined);
    const failed = gateway().renew(await gateway().stored(), CHALLENGE);
    await expect(failed).rejects.toThrow('no longer valid (invalid_grant). Log in again: viaduct auth login up');
  });

  test.each([
    [502, 'text/html', '<p>Bad gateway</p>', 'answered with HTTP 502'],
    [200, 'text/html', '<p>Hello</p>', 'answered with text/html in place of JSON'],
    [200, 'application/json', '[]', 'answered with application/json in place of JSON'],
    [500, 'application/json', '{"error":null}', 'answered with HTTP 500'],
  ])('that is answered with %i, %s and %j keeps what there is, and says so', async (status, type, body, message) => {
    const { script, gateway, tokens } = await loggedIn();
    script.override = ({ path }) => (path === '/token' ? { status, type, body } : undefined);
    await expect(gateway().renew(await gateway().stored(), CHALLENGE)).rejects.toThrow(message);
    expect(await tokens()).toMatchObject({ refreshToken: 'refresh-1' });
  });
});

describe('a first login', () => {
  test.each<[string, Document, Changes, string]>([
    ['without a client id', 'registration', { client_id: null }, 'the answer of ORIGIN/register has no "client_id"'],
    ['without an access token', 'tokens', { access_token: null }, 'the answer of ORIGIN/token has no "access_token"'],
    ['without an address for tokens', 'server', { token_endpoint: null }, 'has no "token_endpoint"'],
    [
      'with half an address',
      'server',
      { registration_endpoint: '/register' },
      'not an http or https address (/register)',
    ],
    ['with names for addresses', 'resource', { authorization_servers: ['as'] }, '"authorization_servers" (as)'],
    ['with no address as resource', 'resource', { resource: 'mcp' }, 'has a "resource" that is not an http'],
  ])('%s ends with a sentence', async (_name, document, changes, message) => {
    const { origin } = await startScriptedAuthorization({ changes: { [document]: changes } });
    const error = await userOf(origin)
      .login()
      .catch((reason: Error) => reason.message);
    expect(error).toContain(message.replace('ORIGIN', origin));
    expect(error).not.toMatch(/\n|invalid_type/);
  });

  test.each([
    ['/register', 403, '{"error":"access_denied","error_description":null}', 'not register Viaduct (access_denied)'],
    ['/register', 403, '<p>no</p>', 'set upstreams.up.auth.clientId'],
    ['/register', 200, '<p>no</p>', 'in place of JSON'],
    ['/token', 400, '{"error":"invalid_grant","error_description":"code is old"}', '(invalid_grant: code is old)'],
    ['/token', 500, '<p>no</p>', 'gave no tokens (HTTP 500'],
  ])('that %s answers with %i and %j ends with a sentence', async (place, status, body, message) => {
    const { origin } = await startScriptedAuthorization({
      override: ({ path }) => (path === place ? { status, body } : undefined),
    });
    const error = await userOf(origin)
      .login()
      .catch((reason: Error) => reason.message);
    expect(error).toContain(message);
    expect(error).not.toMatch(/\n|invalid_type|SyntaxError/);
  });

  test('passes over a page in the place of metadata', async () => {
    const { origin } = await startScriptedAuthorization({
      override: ({ path }, at) => {
        if (path === '/.well-known/oauth-authorization-server') return { type: 'text/html', body: '<p>Hello</p>' };
        return path === '/.well-known/openid-configuration' ? { body: JSON.stringify(metadataOf(at)) } : undefined;
      },
    });
    const user = userOf(origin);
    await user.login();
    expect(await user.tokens()).toMatchObject({ accessToken: 'access-1' });
  });

  test('takes tokens as a form', async () => {
    const body = 'access_token=a1&scope=read&token_type=bearer&refresh_token=';
    const { origin } = await startScriptedAuthorization({
      override: ({ path }) => (path === '/token' ? { type: 'application/x-www-form-urlencoded', body } : undefined),
    });
    const user = userOf(origin);
    await user.login();
    expect(await user.tokens()).toEqual({ accessToken: 'a1', scope: 'read', issuedAt: expect.any(Number) });
  });
});
