import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalRemote, withoutUser } from '../../../../src/projects/git/remote-address.ts';

const BASE = '/work/project';

test.each([
  'git@github.com:Acme/Billing.git',
  'git@GitHub.com:acme/billing',
  'github.com:acme/billing.git',
  '[git@github.com:22]:acme/billing.git',
  'git@[github.com:2222]:acme/billing.git',
  'git@github.com:/acme/billing.git/',
  'ssh://git@github.com/acme/billing.git',
  'ssh://git@github.com:2222/acme/billing.git',
  'ssh://git@ssh.github.com:443/acme/billing.git',
  'git+ssh://git@github.com/acme/billing',
  'https://github.com/acme/billing',
  'https://github.com/acme/billing.git',
  'https://github.com/acme/billing.git/',
  'https://GITHUB.com:443/acme//billing.git',
  'https://www.github.com/acme/billing',
  'https://github.com./acme/billing?x=1#y',
  'https://user:p%40ss@github.com/acme/billing.git',
  'https://user:p@ss@github.com/acme/billing.git',
  'https://x-access-token:abc@github.com/acme/billing.git',
  'http://github.com:8080/acme/billing',
  'git://github.com/acme/bill%69ng.git',
  '  https://github.com/acme/billing.git\n',
])('%s is github.com/acme/billing', (address) => {
  expect(canonicalRemote(address, BASE)).toBe('github.com/acme/billing');
});

test.each([
  ['https://acme@dev.azure.com/acme/pay/_git/billing', 'dev.azure.com/acme/pay/billing'],
  ['git@ssh.dev.azure.com:v3/acme/pay/billing', 'dev.azure.com/acme/pay/billing'],
  ['https://acme.visualstudio.com/DefaultCollection/pay/_git/billing', 'dev.azure.com/acme/pay/billing'],
  ['acme@vs-ssh.visualstudio.com:v3/acme/pay/billing', 'dev.azure.com/acme/pay/billing'],
  ['https://dev.azure.com/acme/_git/billing', 'dev.azure.com/acme/billing/billing'],
  ['https://git.acme.org/scm/pay/billing.git', 'git.acme.org/pay/billing'],
  ['ssh://git@git.acme.org:7999/pay/billing.git', 'git.acme.org/pay/billing'],
  ['git@altssh.gitlab.com:group/sub/billing.git', 'gitlab.com/group/sub/billing'],
  ['ssh://git@[2001:db8::1]:22/billing.git', '2001:db8::1/billing'],
  ['git@[::1]:billing.git', '::1/billing'],
  ['https://example.org/~me/x.git', 'example.org/~me/x'],
  ['https://example.org/%zz/x.git', 'example.org/%zz/x'],
  ['work:billing', 'work/billing'],
  ['/srv/git/Billing.git', '/srv/git/billing'],
  ['file:///srv/git/billing.git', '/srv/git/billing'],
  ['../billing.git', '/work/billing'],
  ['./a:b.git', '/work/project/a:b'],
  ['C:\\git\\billing.git', '/c:/git/billing'],
  ['C:/git/billing.git', '/c:/git/billing'],
])('%s is %s', (address, expected) => {
  expect(canonicalRemote(address, BASE)).toBe(expected);
});

test.each(['', '  ', 'https://github.com', 'https://github.com/', 'ssh://git@host/.git', 'git@host:'])(
  '%j names no repository',
  (address) => {
    expect(canonicalRemote(address, BASE)).toBeUndefined();
  },
);

const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,12}$/);

test('all forms of one address are one remote', () => {
  fc.assert(
    fc.property(word, word, word, fc.integer({ min: 1, max: 65_535 }), (host, owner, name, port) => {
      const forms = [
        `git@${host}.org:${owner}/${name}.git`,
        `ssh://${owner}@${host}.ORG:${port}/${owner}/${name}`,
        `https://${host}.org:${port}/${owner}/${name}.git/`,
        `https://u:p@${host}.org/${owner}/${name}`,
        `git://${host}.org/${owner}/${name}`,
      ];
      fc.pre(owner !== 'scm');
      expect(new Set(forms.map((form) => canonicalRemote(form, BASE)))).toEqual(
        new Set([`${host}.org/${owner}/${name}`]),
      );
    }),
  );
});

test('any text is an address or none, never an error', () => {
  fc.assert(fc.property(fc.string(), (text) => void canonicalRemote(text, BASE)));
});

test('user and password leave an address, everything else stays', () => {
  expect(withoutUser('https://me:secret@host.org/a/b.git')).toBe('https://host.org/a/b.git');
  expect(withoutUser('https://me:sec@ret@host.org/a')).toBe('https://host.org/a');
  expect(withoutUser('https://host.org/a@b')).toBe('https://host.org/a@b');
  expect(withoutUser('git@host.org:a/b.git')).toBe('git@host.org:a/b.git');
});
