import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LoginAuth, RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import type { Credentials, Tokens } from '../../../../src/core/stores/credentials.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { UpstreamAuthorization } from '../../../../src/upstream/auth/upstream-authorization.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { remoteEntryOf } from '../entries.ts';

afterEach(() => void vi.useRealTimers());

interface Rules {
  /** The status and body of the token endpoint's answers, instead of a token. */
  refusal?: { readonly status: number; readonly body: object };
  /** Members of a token answer that are not as they should be. */
  odd?: object;
  /** The upstream says which authorization server it belongs to. */
  isProtected?: boolean;
}

/** An upstream that is its own authorization server, and a process of a user who has logged in there. */
async function open(rules: Rules = {}, tokens?: Partial<Tokens>, auth: Partial<LoginAuth> = {}) {
  const bodies: string[] = [];
  const server = await startHttpServer(({ path, headers, body }, response) => {
    const origin = `http://${headers.host}`;
    if (path === '/token') {
      bodies.push(body);
      if (rules.refusal !== undefined) return sendJson(response, rules.refusal.body, rules.refusal.status);
      const count = bodies.length + 1;
      return sendJson(response, {
        access_token: `access-${count}`,
        token_type: 'Bearer',
        expires_in: 600,
        refresh_token: `refresh-${count}`,
        ...rules.odd,
      });
    }
    if (path === '/.well-known/oauth-authorization-server')
      return sendJson(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
      });
    if (rules.isProtected === true && path.startsWith('/.well-known/oauth-protected-resource'))
      return sendJson(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    response.writeHead(404).end();
  });
  const origin = new URL(server.url).origin;
  const login: LoginAuth = { type: 'oauth', isWritten: false, ...auth };
  const entry: RemoteEntry = remoteEntryOf(server.url, { auth: login });
  const store = new CredentialFiles({ folder: temporaryFolder(), usesKeychain: false, onError: () => undefined });
  const credentials: Credentials = {
    issuer: origin,
    resource: server.url,
    client: { id: 'c' },
    ...(tokens !== undefined && {
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', issuedAt: Date.now(), ...tokens },
    }),
  };
  if (tokens !== undefined) await store.save(entry, credentials);
  const secrets: string[] = [];
  const logged: string[] = [];
  const note = (_facts: object, text: string) => void logged.push(text);
  const log = { ...createLog({ level: 'silent' }), info: note, warn: note, error: note };
  const process = () =>
    new UpstreamAuthorization({
      entry,
      auth: login,
      store,
      env: {},
      log: log as never,
      onSecrets: (more) => void secrets.push(...more),
    });
  const authorization = process();
  await authorization.reload();
  const sent = () => authorization.headers().authorization;
  const refuse = (more: object = {}) =>
    authorization.onRefused({
      status: 401,
      challenge: 'Bearer',
      authorization: sent(),
      isRepeated: false,
      ...more,
    });
  return { authorization, process, entry, store, credentials, bodies, secrets, logged, sent, refuse, origin };
}

const HOUR_MS = 3_600_000;

describe('a token of a login', () => {
  test('is sent while it is good, and renewed by its refresh token when it is refused', async () => {
    const { sent, refuse, bodies, secrets, store, entry, logged } = await open({}, { scope: 'read' });
    expect(sent()).toBe('Bearer access-1');
    expect(await refuse()).toBe('retry');
    expect([sent(), bodies.length]).toEqual(['Bearer access-2', 1]);
    expect(new URLSearchParams(bodies[0]).get('refresh_token')).toBe('refresh-1');
    expect((await store.load(entry))?.tokens).toMatchObject({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      scope: 'read',
    });
    expect(secrets).toEqual(expect.arrayContaining(['access-1', 'refresh-1', 'access-2', 'refresh-2']));
    expect(logged).toEqual(['there is a new token']);
  });

  test('that has expired is renewed before a connection is opened, and one that has not is left alone', async () => {
    const over = await open({}, { issuedAt: Date.now() - HOUR_MS, expiresAt: Date.now() - 1 });
    await over.authorization.prepare();
    expect([over.sent(), over.bodies.length]).toEqual(['Bearer access-2', 1]);
    const good = await open({}, { expiresAt: Date.now() + HOUR_MS });
    await good.authorization.prepare();
    expect([good.sent(), good.bodies.length]).toEqual(['Bearer access-1', 0]);
    const endless = await open({}, {});
    await endless.authorization.prepare();
    expect(endless.bodies).toEqual([]);
    const { refreshToken: _refresh, ...unrenewable } = over.credentials.tokens!;
    const fixed = await open({}, { ...unrenewable, refreshToken: undefined as never, expiresAt: Date.now() - 1 });
    await fixed.authorization.prepare();
    expect(fixed.bodies).toEqual([]);
  });

  test('that is about to expire is renewed beside a request, at most once in ten seconds', async () => {
    const { sent, bodies, authorization } = await open(
      { odd: { expires_in: 1 } },
      { issuedAt: Date.now() - HOUR_MS, expiresAt: Date.now() + 30_000 },
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(sent()).toBe('Bearer access-1');
    await expect.poll(sent).toBe('Bearer access-2');
    // The new one is old at once: the next renewal waits.
    vi.setSystemTime(Date.now() + 9_000);
    expect(sent()).toBe('Bearer access-2');
    await authorization.reload();
    expect(bodies).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1_001);
    expect(sent()).toBe('Bearer access-2');
    await expect.poll(() => bodies.length).toBe(2);
  });

  test('is not renewed early: a minute before its end at most, or a tenth of its life', async () => {
    const { sent, bodies, authorization } = await open({}, { issuedAt: Date.now(), expiresAt: Date.now() + HOUR_MS });
    const begin = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(begin + HOUR_MS - 62_000);
    sent();
    await authorization.reload();
    expect(bodies).toEqual([]);
    vi.setSystemTime(begin + HOUR_MS - 59_000);
    sent();
    await expect.poll(() => bodies.length).toBe(1);
  });

  test('that another process has renewed is taken from the store', async () => {
    const { process, sent, refuse, bodies } = await open({}, {});
    const other = process();
    await other.prepare();
    expect(await refuse()).toBe('retry');
    const old = { status: 401, challenge: 'Bearer', authorization: other.headers().authorization, isRepeated: false };
    expect(await other.onRefused(old)).toBe('retry');
    expect([other.headers().authorization, sent(), bodies.length]).toEqual(['Bearer access-2', 'Bearer access-2', 1]);
  });

  test('that has been replaced meanwhile is no reason to renew', async () => {
    const { refuse, bodies } = await open({}, {});
    expect(await refuse({ authorization: 'Bearer older' })).toBe('retry');
    expect(bodies).toEqual([]);
  });

  test('that came with a new refresh token keeps that one, whatever else is wrong with the answer', async () => {
    const { refuse, store, entry, secrets } = await open(
      { odd: { access_token: undefined, refresh_token: 'refresh-new' } },
      {},
    );
    expect(await refuse()).toMatchObject({ code: 'UPSTREAM_NOT_CONNECTED' });
    expect((await store.load(entry))?.tokens).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-new' });
    expect(secrets).toContain('refresh-new');
  });
});

describe('a refresh token', () => {
  test('that is no good any more is forgotten, and the user is told to log in', async () => {
    const { refuse, store, entry, sent, authorization } = await open(
      { refusal: { status: 400, body: { error: 'invalid_grant' } } },
      {},
    );
    expect(await refuse()).toEqual({
      code: 'UPSTREAM_NEEDS_AUTH',
      reason: 'its tokens are no longer valid (invalid_grant). Log in again: viaduct auth login up',
      effect: 'none',
      status: 401,
    });
    const kept = await store.load(entry);
    expect([kept?.client, kept?.tokens, sent()]).toEqual([{ id: 'c' }, undefined, undefined]);
    expect(await authorization.reload()).toBe(false);
  });

  test('is kept where the server only could not say', async () => {
    const { refuse, store, entry, sent, logged, origin } = await open(
      {
        refusal: { status: 503, body: { error: 'temporarily_unavailable', error_description: 'refresh-1 is secret' } },
      },
      {},
    );
    const failure = await refuse();
    expect(failure).toMatchObject({ code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' });
    expect(failure).toMatchObject({ reason: expect.stringContaining(`a token could not be had: ${origin} answered`) });
    expect(JSON.stringify(failure)).not.toContain('refresh-1');
    expect((await store.load(entry))?.tokens?.refreshToken).toBe('refresh-1');
    expect([sent(), logged]).toEqual(['Bearer access-1', ['a token could not be had']]);
  });

  test('whose new tokens cannot be stored serves on, and they are stored at the next renewal', async () => {
    const { refuse, store, entry, sent, logged } = await open({}, {});
    const save = vi.spyOn(store, 'save').mockRejectedValue(new Error('disk full'));
    onTestFinished(() => save.mockRestore());
    expect(await refuse()).toBe('retry');
    expect(sent()).toBe('Bearer access-2');
    expect(logged).toContain('the new tokens could not be stored: they are lost when the gateway ends');
    expect((await store.load(entry))?.tokens?.accessToken).toBe('access-1');
    save.mockRestore();
    expect(await refuse()).toBe('retry');
    expect((await store.load(entry))?.tokens).toMatchObject({ refreshToken: 'refresh-3' });
    expect(sent()).toBe('Bearer access-3');
  });

  test('whose new tokens could not be stored gives way to a login that was', async () => {
    const { refuse, store, entry, sent, credentials } = await open({}, {});
    const save = vi.spyOn(store, 'save').mockRejectedValue(new Error('disk full'));
    onTestFinished(() => save.mockRestore());
    expect(await refuse()).toBe('retry');
    save.mockRestore();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 5);
    await store.save(entry, { ...credentials, tokens: { accessToken: 'by-login', issuedAt: Date.now() } });
    expect(await refuse()).toBe('retry');
    expect(sent()).toBe('Bearer by-login');
    expect((await store.load(entry))?.tokens?.accessToken).toBe('by-login');
  });
});

describe('an upstream that wants a login', () => {
  const LOGIN = 'it wants authorization. Log in: viaduct auth login up';

  test.each<[string, Rules, Partial<LoginAuth>, object]>([
    ['by its challenge', {}, {}, { challenge: 'Bearer scope="read", resource_metadata="https://up.example/meta"' }],
    ['by its metadata', { isProtected: true }, {}, { challenge: undefined }],
    ['by the config', {}, { isWritten: true }, { challenge: undefined }],
  ])('is known %s', async (_what, rules, auth, refusal) => {
    const { refuse, store, entry } = await open(rules, undefined, auth);
    expect(await refuse(refusal)).toEqual({ code: 'UPSTREAM_NEEDS_AUTH', reason: LOGIN, effect: 'none', status: 401 });
    if ((refusal as { challenge?: string }).challenge === undefined) expect(store.wanted(entry)).toEqual({});
    else expect(store.wanted(entry)).toEqual({ scope: 'read', resourceMetadata: 'https://up.example/meta' });
  });

  test('is none where nothing says so', async () => {
    const { refuse, store, entry } = await open();
    expect(await refuse({ challenge: 'Basic realm="x"' })).toBeUndefined();
    expect(store.wanted(entry)).toEqual({});
  });

  test('has what it wants kept for the next login, beside the scopes of the token', async () => {
    const { refuse, store, entry } = await open({}, { scope: 'read' });
    const challenge = 'Bearer error="insufficient_scope", scope="write"';
    expect(await refuse({ status: 403, challenge })).toEqual({
      code: 'UPSTREAM_NEEDS_AUTH',
      reason: 'it wants the scopes "write" for this. Log in again: viaduct auth login up',
      effect: 'none',
      status: 403,
    });
    expect(store.wanted(entry)).toEqual({ scope: 'read write' });
  });

  test('forbids for other reasons too', async () => {
    const { refuse, bodies } = await open({}, {});
    expect(await refuse({ status: 403, challenge: undefined })).toBeUndefined();
    expect(await refuse({ status: 403, challenge: 'Bearer error="access_denied"' })).toBeUndefined();
    const challenge = 'Bearer error="insufficient_scope"';
    expect(await refuse({ status: 403, challenge, authorization: 'Bearer older' })).toBe('retry');
    expect(bodies).toEqual([]);
  });
});

test('a new token that is refused gets two seconds, once; then the user is told', async () => {
  const { authorization, sent, refuse } = await open({}, {});
  vi.useFakeTimers({ toFake: ['performance'] });
  const patient = refuse({ isRepeated: true });
  // Only the clock that is read is in the test's hands; the pause itself passes.
  expect(await patient).toBe('retry');
  vi.advanceTimersByTime(2_001);
  expect(await refuse({ isRepeated: true })).toMatchObject({
    code: 'UPSTREAM_NEEDS_AUTH',
    reason: 'it refuses a token that is new. See: viaduct auth status up',
  });
  expect([sent(), await authorization.reload()]).toEqual(['Bearer access-1', false]);
});

test('a logout is noticed, and so is a login', async () => {
  const { authorization, sent, store, entry, credentials } = await open({}, {});
  expect(await authorization.reload()).toBe(true);
  await store.remove(entry);
  expect([await authorization.reload(), sent()]).toEqual([false, undefined]);
  await store.save(entry, { ...credentials, tokens: { accessToken: 'again', issuedAt: 0 } });
  expect([await authorization.reload(), sent()]).toEqual([true, 'Bearer again']);
});
