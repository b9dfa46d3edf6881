import { describe, expect, test } from 'vitest';
import { bearerIn, sha256 } from '../../../../../src/downstream/http/auth/bearer.ts';
import { FailureThrottle } from '../../../../../src/downstream/http/auth/failure-throttle.ts';
import { isMetadataPath, metadataUrl } from '../../../../../src/downstream/http/auth/resource-metadata.ts';
import { type StaticToken, StaticTokens } from '../../../../../src/downstream/http/auth/static-tokens.ts';

function token(name: string, more: Partial<StaticToken> = {}): StaticToken {
  return { name, digest: sha256(name), access: undefined, expiresAt: Number.POSITIVE_INFINITY, ...more };
}

describe('tokens of the config', () => {
  test('are found by their digest', () => {
    const tokens = new StaticTokens([token('a'), token('b')]);
    expect(tokens.find(sha256('b'))?.principal.name).toBe('b');
    expect(tokens.find(sha256('c'))).toBeUndefined();
  });

  test('are refused from the moment on at which they expire', () => {
    const tokens = new StaticTokens([token('a', { expiresAt: Date.now() })]);
    expect(tokens.find(sha256('a'))).toBeUndefined();
  });

  test('are another principal when their text or what they may see has changed, and not when another one has', () => {
    const id = (one: StaticToken) => new StaticTokens([one]).find(one.digest)!.principal.id;
    const access = { upstreams: ['x'], workflows: 'all', tools: { allow: ['*'], deny: [] } } as const;
    const before = id(token('a'));
    expect(new StaticTokens([token('b'), token('a')]).has(before)).toBe(true);
    expect(new StaticTokens([token('b')]).has(before)).toBe(false);
    expect(new StaticTokens([token('a', { digest: sha256('new') })]).has(before)).toBe(false);
    expect(new StaticTokens([token('a', { access })]).has(before)).toBe(false);
    expect(new StaticTokens([token('a', { expiresAt: 1 })]).has(before)).toBe(false);
  });
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer  a.b-c_d~e+f/g== ', 'a.b-c_d~e+f/g=='],
  ['Basic abc', undefined],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Bearer a,b', undefined],
  ['Bearerabc', undefined],
  [undefined, undefined],
])('the token in "%s" is %s', (header, expected) => {
  expect(bearerIn(header)).toBe(expected);
});

describe('wrong tokens of one address', () => {
  test('are looked at 20 times, then one in three seconds', () => {
    let now = 0;
    const throttle = new FailureThrottle(() => now);
    for (let count = 0; count < 20; count++) {
      expect(throttle.waitMs('here', sha256(String(count)))).toBe(0);
      throttle.onFailure('here', sha256(String(count)));
    }
    expect(throttle.waitMs('here', sha256('x'))).toBe(3_000);
    expect(throttle.waitMs('there', sha256('x'))).toBe(0);
    now = 3_000;
    expect(throttle.waitMs('here', sha256('x'))).toBe(0);
  });

  test('do not hold up whoever has come with a right one, until that is wrong', () => {
    const throttle = new FailureThrottle(() => 0);
    const waits = (text: string) => throttle.waitMs('here', sha256(text)) > 0;
    throttle.onSuccess('here', sha256('right'));
    for (let count = 0; count < 30; count++) throttle.onFailure('here', sha256(`wrong ${count}`));
    expect([waits('right'), waits('another')]).toEqual([false, true]);
    for (let count = 0; count < 30; count++) throttle.onFailure('here', sha256('right'));
    expect(waits('right')).toBe(true);
  });

  test('hold up nobody else when they are the same one again and again', () => {
    const throttle = new FailureThrottle(() => 0);
    const waits = (text: string) => throttle.waitMs('here', sha256(text)) > 0;
    for (let count = 0; count < 30; count++) throttle.onFailure('here', sha256('old'));
    expect([waits('old'), waits('new')]).toEqual([true, false]);
    throttle.onSuccess('here', sha256('old'));
    expect(waits('old')).toBe(false);
  });
});

test.each([
  ['https://a.example/mcp', 'https://a.example/.well-known/oauth-protected-resource/mcp'],
  ['https://a.example', 'https://a.example/.well-known/oauth-protected-resource'],
  ['https://a.example:8443/x/y', 'https://a.example:8443/.well-known/oauth-protected-resource/x/y'],
])('the metadata of %s is at %s', (resource, url) => {
  expect(metadataUrl(resource)).toBe(url);
  expect(isMetadataPath(new URL(url).pathname, resource)).toBe(true);
  expect(isMetadataPath('/.well-known/oauth-protected-resource/other', resource)).toBe(false);
});
