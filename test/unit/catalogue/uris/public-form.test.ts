import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GATEWAY_SCHEMES, kindOfUri, ownedForm, readOwnedForm } from '../../../../src/catalogue/uris/public-form.ts';

const keys = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/);
const schemes = fc.constantFrom(
  'ui',
  'skill',
  'UI',
  'memo',
  'a+b-c.d',
  'http',
  'https',
  'file',
  'viaduct',
  'checkpoint',
);
const uris = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .tuple(schemes, fc.constantFrom('://', ':', ':/', ':///', '://a/', '://b/'), fc.webPath())
    .map((parts) => parts.join('')),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'ui://',
    'ui://app',
    'file:///a b/é?x=%20#y',
    'viaduct://other/x',
    '%',
    '/',
    '..',
    'x:\ud800',
    'a\nui://b/c',
  ),
);

describe('the form of a uri that names its owner', () => {
  test.each([
    ['ui://app/main.html', 'ui://b/app/main.html'],
    ['ui://main', 'ui://b/main'],
    ['ui://b/main', 'ui://b/b/main'],
    ['skill://acme/refunds/SKILL.md', 'skill://b/acme/refunds/SKILL.md'],
    ['memo://insights?x=1#y', 'memo://b/insights?x=1#y'],
    ['memo:///abs', 'memo://b//abs'],
    ['memo://{id}/{+rest}', 'memo://b/{id}/{+rest}'],
    ['UI://App', 'UI://b/App'],
    ['file:///notes.txt', 'viaduct://b/file:///notes.txt'],
    ['file:///{+path}{?line}', 'viaduct://b/file:///{+path}{?line}'],
    ['HTTPS://example.com/a%20b?q=1', 'viaduct://b/HTTPS://example.com/a%20b?q=1'],
    ['urn:isbn:1', 'viaduct://b/urn:isbn:1'],
    ['notes.txt', 'viaduct://b/notes.txt'],
    ['{+uri}', 'viaduct://b/{+uri}'],
    ['viaduct://x/ui://y', 'viaduct://b/viaduct://x/ui://y'],
    ['checkpoint://b', 'viaduct://b/checkpoint://b'],
  ])('of %s is %s', (uri, expected) => {
    expect(ownedForm({ key: 'b', uri })).toBe(expected);
  });

  test('leads back to owner and uri, whatever they are', () => {
    fc.assert(
      fc.property(keys, uris, (key, uri) => {
        expect(readOwnedForm(ownedForm({ key, uri }))).toEqual({ key, uri });
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps the scheme of a server’s own, and everything behind the authority', () => {
    fc.assert(
      fc.property(keys, fc.webPath({ size: 'small' }), (key, path) => {
        const shown = ownedForm({ key, uri: `ui://app${path}` });
        expect([shown.startsWith('ui://'), shown.endsWith(`/app${path}`)]).toEqual([true, true]);
      }),
    );
  });

  test.each([
    '',
    'ui:',
    'ui:/b/x',
    'ui://',
    'ui://b',
    'ui://b{x}/y',
    'ui://b c/x',
    'file://b/x',
    'https://b/x',
    'urn:b/x',
    'xviaduct',
    'checkpoint://b/x',
    'viaduct://b',
  ])('is not %j', (text) => expect(readOwnedForm(text)).toBeUndefined());

  test('is also the prefix of the gateway in front of any uri, for clients that make it from a template', () => {
    expect(readOwnedForm('viaduct://b/ui://app/x')).toEqual({ key: 'b', uri: 'ui://app/x' });
  });
});

test.each([
  ['ui://app', 'owned'],
  ['memo://1', 'owned'],
  ['viaduct://a/b', 'owned'],
  ['process://1/output', 'owned'],
  ['file:///x', 'address'],
  ['FILE:///x', 'address'],
  ['https://example.com', 'address'],
  ['ws://example.com', 'address'],
  ['data:text/plain,x', 'plain'],
  ['urn:x:y', 'plain'],
  ['mailto:a@example.com', 'plain'],
  ['x', 'plain'],
  ['', 'plain'],
])('%s is of the kind %s', (uri, kind) => expect(kindOfUri(uri)).toBe(kind));

test('the schemes of all workflows’ resources are the gateway’s', () => {
  const folder = path.resolve('src/workflows');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('resources.ts'),
  );
  const schemes = files.flatMap((name) =>
    [...readFileSync(path.join(folder, name), 'utf8').matchAll(/['`]([a-z-]+):\/\//g)].map(([, scheme]) => scheme),
  );
  expect(new Set([...schemes, 'viaduct'])).toEqual(GATEWAY_SCHEMES);
});
