import { describe, expect, test } from 'vitest';
import type { LoginAuth } from '../../../../src/core/settings/upstream-entry.ts';
import { logout } from '../../../../src/upstream/auth/logout.ts';
import {
  type AuthorizationScript,
  type Changes,
  metadataOf,
  startScriptedAuthorization,
  userOf,
} from '../../../support/auth/scripted-authorization.ts';

/** The upstream names `ORIGIN/tenant`, and the metadata there are of ORIGIN, as those of large vendors are. */
const tenant = (metadata: Changes = {}): AuthorizationScript => ({
  changes: { resource: { authorization_servers: ['ORIGIN/tenant'] } },
  override: ({ path }, origin) =>
    path === '/.well-known/oauth-authorization-server/tenant'
      ? { body: JSON.stringify({ ...metadataOf(origin), ...metadata }) }
      : undefined,
});

/** The same, and the issuer has no metadata at its own address. */
const withoutOwn = (): AuthorizationScript => {
  const script = tenant();
  return {
    ...script,
    override: (request, origin) =>
      request.path === '/.well-known/oauth-authorization-server'
        ? { status: 404, body: '' }
        : script.override!(request, origin),
  };
};

const CHALLENGE = { isBearer: true };

async function tryLogin(script: AuthorizationScript, auth: (origin: string) => Partial<LoginAuth> = () => ({})) {
  const server = await startScriptedAuthorization(script);
  const user = userOf(server.origin, auth(server.origin));
  const error = await user.login().then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  const posts = server.requests.filter(({ method, path }) => method === 'POST' && path !== '/mcp');
  return { ...user, ...server, error, posts: posts.map(({ path }) => path) };
}

describe('an issuer that is not the one that was asked', () => {
  test.each(['ORIGIN', 'https://login.example.org', 'https://login.example.org/{tenantid}/v2.0'])(
    'is refused with both addresses and the setting (%s)',
    async (template) => {
      const script = tenant();
      const other: AuthorizationScript = {
        ...script,
        override: (request, origin) =>
          tenant({ issuer: template.replace('ORIGIN', origin) }).override!(request, origin),
      };
      const { error, origin, posts, urls } = await tryLogin(other);
      const issuer = template.replace('ORIGIN', origin);
      expect(error).toContain(`metadata of ${origin}/tenant are those of another issuer, ${issuer}`);
      expect(error).toContain(`set upstreams.up.auth.issuer to ${issuer}`);
      expect({ posts, urls }).toEqual({ posts: [], urls: [] });
    },
  );

  test('that no config may allow is refused without that advice', async () => {
    const { error } = await tryLogin(tenant({ issuer: 'http://keycloak:8080/realms/x' }));
    expect(error).toContain('auth.issuer cannot allow that one');
  });

  test.each([null, '', undefined, []])('that is %j is refused, unless the config names the address', async (issuer) => {
    const script = { changes: { server: { issuer } } };
    const refused = await tryLogin(script);
    expect(refused.error).toContain(`set upstreams.up.auth.issuer to ${refused.origin}`);
    expect(refused.posts).toEqual([]);
    const allowed = await tryLogin(script, (origin) => ({ issuer: origin }));
    expect(allowed.error).toBeUndefined();
  });

  test.each([
    ['with metadata of its own', tenant()],
    ['without', withoutOwn()],
  ])('is taken where the config allows it (%s), also for renewals and the logout', async (_name, script) => {
    const { error, origin, gateway, tokens, store, entry } = await tryLogin(script, (at) => ({ issuer: at }));
    expect(error).toBeUndefined();
    expect(await store.load(entry)).toMatchObject({ issuer: origin });
    await gateway().renew(await gateway().stored(), CHALLENGE);
    expect(await tokens()).toMatchObject({ accessToken: 'access-2' });
    expect(await logout({ entry, auth: entry.auth!, store, env: {} })).toBe('not-offered');
  });

  test('counts by its own metadata, not by what another says in its name', async () => {
    const script = tenant({
      token_endpoint: 'https://evil.example/token',
      authorization_endpoint: 'https://evil.example/',
    });
    const { error, urls, origin } = await tryLogin(script, (at) => ({ issuer: at }));
    expect(error).toBeUndefined();
    expect(urls[0]!.origin).toBe(origin);
  });

  test.each([
    ['another issuer than the allowed one', tenant({ issuer: 'https://evil.example' })],
    ['an address without metadata', { changes: { resource: { authorization_servers: ['ORIGIN/nowhere'] } } }],
  ])('stays refused behind %s', async (_name, script) => {
    const { error, origin, posts } = await tryLogin(script, (at) => ({ issuer: at }));
    expect(error).toContain(`auth.issuer is ${origin}`);
    expect(posts).toEqual([]);
  });

  test('gets no secret of the config from metadata on another host', async () => {
    const far = await startScriptedAuthorization(withoutOwn());
    const script = (issuer: string): AuthorizationScript => ({
      changes: { resource: { authorization_servers: ['ORIGIN/tenant'] } },
      override: tenant({ issuer }).override!,
    });
    const auth = { issuer: far.origin, clientId: 'mine' };
    const withSecret = await tryLogin(script(far.origin), () => ({ ...auth, clientSecret: 'secret' }));
    expect(withSecret.error).toContain(`${far.origin} has no metadata`);
    expect(withSecret.posts).toEqual([]);
    const without = await tryLogin(script(far.origin), () => auth);
    expect(without.error).toBeUndefined();
  });
});

test.each(['https://other.example.org/mcp', 'ORIGIN/other', 'api://notes'])(
  'a resource that is another server (%s) is refused, with both addresses and what to do',
  async (template) => {
    const { error, origin, posts } = await tryLogin({ changes: { resource: { resource: template } } });
    expect(error).toContain(template.replace('ORIGIN', origin));
    expect(error).toContain(`its address is ${origin}/mcp`);
    expect(error).toContain('Its operator must name that address');
    expect(posts).toEqual([]);
  },
);

test.each([
  ['ORIGIN', true],
  ['ORIGIN/mcp/', true],
  ['ORIGIN/mcp', true],
  ['ORIGIN/mcp/deeper', false],
])('the resource %s is one that the upstream may name: %j', async (resource, isTaken) => {
  const { error } = await tryLogin({ changes: { resource: { resource } } });
  expect(error === undefined).toBe(isTaken);
});

test.each<[string, string | undefined]>([
  ['ORIGIN/', undefined],
  ['https://evil.example', 'is from https://evil.example ("iss"), and the login was at ORIGIN'],
])('an answer in the browser whose iss is %s', async (iss, message) => {
  const { origin } = await startScriptedAuthorization({});
  const user = userOf(origin);
  const done = user.login(iss.replace('ORIGIN', origin));
  if (message === undefined) await done;
  else await expect(done).rejects.toThrow(message.replace('ORIGIN', origin));
});
