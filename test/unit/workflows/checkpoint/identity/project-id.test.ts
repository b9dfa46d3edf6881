import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalRemote } from '../../../../../src/workflows/checkpoint/git/remote-address.ts';
import { checkedProjectId, idOfPath, idOfRemote } from '../../../../../src/workflows/checkpoint/identity/project-id.ts';

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
