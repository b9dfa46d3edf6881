import { describe, expect, test } from 'vitest';
import { Masker } from '../../../src/telemetry/masker.ts';

function maskerWith(secrets: readonly string[], names: readonly string[]): Masker {
  const masker = new Masker();
  for (const secret of secrets) masker.add(secret);
  masker.spare(names);
  return masker;
}

describe('a name of the gateway', () => {
  test('is shown whole, though a secret is the same word', () => {
    const masker = maskerWith(['github', 'hunter2'], ['github', 'my-github2']);
    expect(masker.mask('github_search of github: hunter2')).toBe('github_search of github: [secret]');
    expect(masker.mask('my-github2 started')).toBe('my-github2 started');
  });

  test('does not show a secret that it is only a part of, or that goes on', () => {
    const masker = maskerWith(['github', 'github-4711-x'], ['github']);
    expect(masker.mask('mygithub githubs github-4711-x')).toBe('my[secret] [secret]s [secret]');
  });

  test('is not what another secret stands beside', () => {
    expect(maskerWith(['github', 'githubtoken'], ['github']).mask('github=githubtoken')).toBe('github=[secret]');
  });
});

test('a listed name keeps plain words, and no other secret', () => {
  const masker = maskerWith(['search', 'a8f3k29dk3'], []);
  expect(masker.maskName('up_search')).toBe('up_search');
  expect(masker.maskName('up_a8f3k29dk3')).toBe('up_[secret]');
  expect(masker.mask('up_search')).toBe('up_[secret]');
});
