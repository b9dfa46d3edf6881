import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/gateway.ts';
import { errorOf, issuesOf, parse } from '../parse-text.ts';

const HASH = `sha256:${'ab'.repeat(32)}`;
const TOKEN = `{ name: a, hash: "${HASH}" }`;
const OAUTH = '{ issuer: "https://as.example.com", audience: "https://mcp.example.com/mcp" }';

function withServer(server: string): string {
  return `schemaVersion: 1\nupstreams: { files: { command: node } }\nserver: ${server}\n`;
}

function pem(): string {
  const file = path.join(temporaryFolder(afterAll), 'file.pem');
  writeFileSync(file, 'x');
  return file;
}

describe('beyond loopback', () => {
  const file = pem();
  test.each([
    ['tokens and TLS', `{ host: 0.0.0.0, tokens: [${TOKEN}], tls: { cert: "${file}", key: "${file}" } }`],
    ['tokens behind a proxy', `{ host: "::", tokens: [${TOKEN}], behindProxy: true }`],
    ['OAuth behind a proxy', `{ host: example.com, oauth: ${OAUTH}, behindProxy: true }`],
    ['a list of tokens that lets nobody in', '{ host: 0.0.0.0, tokens: [], behindProxy: true }'],
  ])('%s are enough', (_what, server) => {
    expect(parse(withServer(server)).server.host).not.toBe('127.0.0.1');
  });

  test.each([
    ['nothing', '{ host: 0.0.0.0 }', /server\.host: beyond loopback clients must prove/],
    ['TLS alone', `{ host: 0.0.0.0, tls: { cert: "${file}", key: "${file}" } }`, /clients must prove/],
    ['tokens alone', `{ host: 0.0.0.0, tokens: [${TOKEN}] }`, /server\.host: .*server\.tls is needed/],
    ['a proxy before loopback', '{ behindProxy: true }', /server\.behindProxy: behind a proxy clients must prove/],
  ])('%s is refused', (_what, server, words) => {
    const error = errorOf(withServer(server));
    expect(error.message).toMatch(words);
    expect(error.message).toMatch(/:3:\d+ /);
    expect(error.issues.map(({ isUnprotected }) => isUnprotected)).toEqual([true]);
  });
});

describe('tokens', () => {
  test('have what is written, and nothing that is not', () => {
    const server = `{ tokens: [{ name: a, hash: "${HASH}", upstreams: [files], tools: { deny: [x] }, expires: 2027-01-31 }] }`;
    expect(parse(withServer(server)).server.tokens).toEqual([
      {
        name: 'a',
        hash: HASH,
        access: { upstreams: ['files'], workflows: 'all', tools: { allow: ['*'], deny: ['x'] } },
        expires: '2027-01-31',
      },
    ]);
    expect(parse(withServer(`{ tokens: [${TOKEN}] }`)).server.tokens).toEqual([{ name: 'a', hash: HASH }]);
  });

  test.each([
    [`{ tokens: [{ name: a b, hash: "${HASH}" }] }`, /server\.tokens\[0\]\.name: at most 64 letters/],
    ['{ tokens: [{ name: a, hash: "secret" }] }', /server\.tokens\[0\]\.hash: must be "sha256:"/],
    [`{ tokens: [{ name: a, hash: "${HASH}", expires: soon }] }`, /expires: must be a date/],
    [`{ tokens: [{ name: a, hash: "${HASH}", expires: 2027-02-30 }] }`, /expires: must be a date/],
    [`{ tokens: [${TOKEN}, { name: a, hash: "sha256:${'0'.repeat(64)}" }] }`, /tokens\[1\]\.name: another token has/],
    [`{ tokens: [${TOKEN}, { name: b, hash: "${HASH}" }] }`, /tokens\[1\]\.hash: another token has this hash/],
    [
      `{ tokens: [{ name: a, hash: "${HASH}", upstreams: [fils] }] }`,
      /upstreams\[0\]: there is no upstream "fils".*"files"/,
    ],
    [`{ tokens: [{ name: a, hash: "${HASH}", workflows: [x] }] }`, /workflows\[0\]: there is no workflow "x"/],
  ])('%s is refused', (server, words) => {
    expect(issuesOf(withServer(server)).join('\n')).toMatch(words);
  });

  test('a token that stands where its hash belongs is not shown', () => {
    const error = errorOf(withServer('{ tokens: [{ name: a, hash: vdt_secretsecret }] }'));
    expect(error.format()).not.toContain('secretsecret');
  });
});

describe('OAuth and TLS', () => {
  test.each([
    [
      '{ oauth: { issuer: "http://as.example.com", audience: "https://x.example.com/mcp" } }',
      /issuer: must be a url that begins/,
    ],
    ['{ oauth: { issuer: "https://as.example.com", audience: "x" } }', /audience: must be a url/],
    ['{ oauth: { issuer: "https://as.example.com" } }', /audience: required, but missing/],
    [
      '{ tls: { cert: /nowhere/cert.pem, key: /nowhere/key.pem } }',
      /server\.tls\.cert: \/nowhere\/cert\.pem cannot be read/,
    ],
  ])('%s is refused', (server, words) => {
    expect(issuesOf(withServer(server)).join('\n')).toMatch(words);
  });

  test('an authorization server on this machine may do without TLS', () => {
    const oauth = '{ issuer: "http://127.0.0.1:9000", audience: "http://[::1]:1/mcp" }';
    expect(parse(withServer(`{ oauth: ${oauth} }`)).server.oauth).toMatchObject({ clockSkewSeconds: 30, scopes: [] });
  });
});
