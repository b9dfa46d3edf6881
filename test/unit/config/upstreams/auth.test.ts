import { describe, expect, test } from 'vitest';
import type { RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { errorOf, issuesOf, parse } from '../parse-text.ts';

const withEntry = (entry: string): string => `{ schemaVersion: 1, upstreams: { a: ${entry} } }`;
const withAuth = (auth: string): string => withEntry(`{ url: "https://mcp.example.com/mcp", auth: ${auth} }`);
const authOf = (text: string) => (parse(text).upstreams[0] as RemoteEntry).auth;

describe('auth', () => {
  test.each([
    ['nothing is written', '{ url: "https://x.example" }', { type: 'oauth', isWritten: false }],
    ['none is written', '{ url: "https://x.example", auth: none }', undefined],
    [
      'a header says who we are',
      '{ url: "https://x.example", headers: { authorization: "Bearer 123456" } }',
      undefined,
    ],
    [
      'another header is written',
      '{ url: "https://x.example", headers: { X-Team: "7" } }',
      { type: 'oauth', isWritten: false },
    ],
  ])('when %s', (_name, entry, auth) => {
    expect(authOf(withEntry(entry))).toEqual(auth);
  });

  test('a login with all that can be said of it', () => {
    const text = withAuth(
      `{ type: oauth, clientId: me, clientSecret: "\${TOKEN}", scopes: [a, "b:c"], callbackPort: 8123, issuer: "https://as.example.com/realm", clientMetadataUrl: "https://example.com/c.json" }`,
    );
    expect(authOf(text)).toEqual({
      type: 'oauth',
      isWritten: true,
      clientId: 'me',
      clientSecret: 'tok-123456',
      scopes: ['a', 'b:c'],
      callbackPort: 8123,
      issuer: 'https://as.example.com/realm',
      clientMetadataUrl: 'https://example.com/c.json',
    });
    expect(parse(text).secrets).toContain('tok-123456');
  });

  test('a client with a secret', () => {
    expect(authOf(withAuth('{ type: client-credentials, clientId: 7, clientSecret: "open-sesame" }'))).toEqual({
      type: 'client-credentials',
      clientId: '7',
      clientSecret: 'open-sesame',
    });
  });

  test('a key is a file seen from the folder of the config, or the key itself', () => {
    expect(authOf(withAuth('{ type: private-key-jwt, clientId: m, key: keys/m.pem }'))).toMatchObject({
      key: '/home/me/project/keys/m.pem',
      alg: 'RS256',
    });
    expect(authOf(withAuth('{ type: private-key-jwt, clientId: m, key: ~/m.pem, alg: ES256 }'))).toMatchObject({
      key: '/home/me/m.pem',
      alg: 'ES256',
    });
    const pem = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0LXNlY3JldA==\n-----END PRIVATE KEY-----';
    const config = parse(withAuth('{ type: private-key-jwt, clientId: m, key: "${PEM}" }'), { env: { PEM: pem } });
    expect((config.upstreams[0] as RemoteEntry).auth).toMatchObject({ key: pem });
    expect(config.secrets).toContain('c2VjcmV0LXNlY3JldA==');
  });

  test.each([
    ['nothing', 'must be none, or a mapping with the type oauth, client-credentials or private-key-jwt'],
    ['{ type: basic }', 'upstreams.a.auth.type: the type must be oauth, client-credentials or private-key-jwt'],
    ['{}', 'the type must be oauth'],
    ['{ type: oauth, clientID: x }', 'upstreams.a.auth.clientID: unknown key -> did you mean "clientId"?'],
    ['{ type: oauth, key: x }', 'upstreams.a.auth.key: unknown key'],
    ['{ type: oauth, scopes: ["a b"] }', 'upstreams.a.auth.scopes[0]: not a scope'],
    ['{ type: oauth, scopes: a }', 'upstreams.a.auth.scopes: must be a list'],
    ['{ type: oauth, callbackPort: 0 }', 'must be a whole number from 1 to 65535'],
    ['{ type: oauth, issuer: "http://as.example.com" }', 'must be a url that begins with https://'],
    ['{ type: client-credentials, clientId: x }', 'upstreams.a.auth.clientSecret: required, but missing'],
    ['{ type: private-key-jwt, clientId: x, key: k, alg: HS256 }', 'upstreams.a.auth.alg: must be RS256'],
    ['{ type: oauth, clientSecret: "${NOPE}" }', 'the variable NOPE is not set'],
  ])('%s is refused', (auth, message) => {
    expect(issuesOf(withAuth(auth))).toEqual([expect.stringContaining(message)]);
  });

  test('goes only with a url', () => {
    expect(issuesOf(withEntry('{ command: x, auth: none }'))).toEqual([
      expect.stringContaining('goes only with a url'),
    ]);
  });

  test('no secret of it is in an error', () => {
    const text = `schemaVersion: 1
upstreams:
  a:
    url: https://x.example
    auth: { type: client-credentials, clientId: me, clientSecret: open-sesame, wrong: 1 }
`;
    const shown = errorOf(text).format();
    expect(shown).toContain('wrong: unknown key');
    expect(shown).not.toContain('open-sesame');
  });
});
