import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalRemote } from '../../../../src/projects/git/remote-address.ts';
import { checkedProjectId, idOfPath, idsOfRemote } from '../../../../src/projects/identity/project-id.ts';

const idOfRemote = (remote: string, branch: string | undefined) => idsOfRemote(remote, branch).own;
const PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').slice(0, 6);

test('ids are those that ide-bridge gives', () => {
  expect(idOfRemote('github.com/acme/billing', 'main')).toBe(`github-com-acme-billing-${sha1('main')}`);
  expect(idOfPath('/home/dev/project')).toBe('path-1afbf223bb0b');
});

test('each branch is a project, and a HEAD that is on none is one too', () => {
  const ids = ['main', 'feature/login', undefined].map((branch) => idOfRemote('example.org/a/b', branch));
  expect(new Set(ids).size).toBe(3);
});

test('remotes whose letters an id cannot have stay apart', () => {
  const ids = ['example.org/проект', 'example.org/привет', '::1/billing', '::2/billing'].map((remote) =>
    idOfRemote(remote, 'main'),
  );
  expect(new Set(ids).size).toBe(4);
  const long = 'x'.repeat(200);
  expect(idOfRemote(`example.org/${long}/a`, 'main')).not.toBe(idOfRemote(`example.org/${long}/b`, 'main'));
});

describe('remotes that differ only in signs', () => {
  const ALIKE = ['acme/foo-bar', 'acme-foo/bar', 'acme/foo.bar', 'acme/foo_bar', 'acme/foo/bar', 'acme-foo-bar'];

  test.each(['github.com', 'gitlab.com', 'git.example.org', 'git-example.org', 'git', '10.0.0.1'])(
    'have ids of their own on %s',
    (host) => {
      const remotes = ALIKE.map((name) => `${host}/${name}`);
      expect(new Set(remotes.map((remote) => idOfRemote(remote, 'main'))).size).toBe(ALIKE.length);
      expect(new Set(remotes.map((remote) => idsOfRemote(remote, 'main').hashed)).size).toBe(ALIKE.length);
      expect(new Set(remotes.map((remote) => idsOfRemote(remote, 'main').readable)).size).toBe(1);
    },
  );

  test.each(['github.com/acme/foo-bar', 'gitlab.com/acme/foobar', 'git.example.org/acme/foobar', 'git/acme/foo'])(
    'leave %s the id that ide-bridge gives',
    (remote) => {
      const { own, readable } = idsOfRemote(remote, 'main');
      expect(own).toBe(readable);
      expect(own).toBe(`${remote.replaceAll(/[/.]/g, '-')}-${sha1('main')}`);
    },
  );

  test.each([
    'github.com/acme-foo/bar',
    'github.com/acme/foo.bar',
    'gitlab.com/acme/foo/bar',
    'github.com/acme',
    'github.com.acme/foo/bar',
    'git.example.org/acme/foo-bar',
    'git-example.org/acme/foo',
    '/srv/git/foo',
    'github.com/acme/foo-0123456789ab',
  ])('give %s a hash', (remote) => {
    const { own, hashed, readable } = idsOfRemote(remote, 'main');
    expect(own).toBe(hashed);
    expect(own).not.toBe(readable);
  });

  test('never share an id', () => {
    const word = fc.constantFrom('a', 'b', 'ab', '1');
    const sign = fc.constantFrom('-', '.', '_', '/');
    const rest = fc.array(fc.tuple(sign, word), { minLength: 1, maxLength: 4 });
    const host = fc.constantFrom('github.com', 'gitlab.com', 'github.com.a', 'a.b', 'a', 'git-a.b', '');
    const remote = fc.tuple(host, word, rest).map(([at, first, words]) => `${at}/${first}${words.flat().join('')}`);
    fc.assert(
      fc.property(remote, remote, (one, other) => {
        fc.pre(one !== other);
        const [a, b] = [idsOfRemote(one, 'main'), idsOfRemote(other, 'main')];
        expect(a.own).not.toBe(b.own);
        expect(a.hashed).not.toBe(b.own);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('the same letters in another form of Unicode are the same path', () => {
  expect(idOfPath('/home/u\u0308')).toBe(idOfPath('/home/\u00fc'));
});

test('every id that is made can be used, and does not begin with a dash', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (address, branch) => {
      const remote = canonicalRemote(address, '/base');
      fc.pre(remote !== undefined);
      expect(idOfRemote(remote!, branch)).toMatch(/^[A-Za-z0-9]/);
      expect(idOfRemote(remote!, branch)).toMatch(PATTERN);
    }),
  );
});

test.each(['', 'a b', '../x', 'a/b', 'ä', 'x'.repeat(129), 'a\n'])('%j is no project id', (id) => {
  expect(() => checkedProjectId(id, 'project_id')).toThrow(/^invalid project_id: must match/);
});

test.each(['a', 'acme-billing', 'A.b_c-1', 'x'.repeat(128)])('%j is a project id', (id) => {
  expect(checkedProjectId(id, 'project_id')).toBe(id);
});
