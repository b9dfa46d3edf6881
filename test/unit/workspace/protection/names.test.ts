import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameName, NamePattern, plainName } from '../../../../src/workspace/protection/names.ts';

const relationOf = (pattern: string, place: string) =>
  new NamePattern({ pattern, what: 'x' }).relationOf(place.split('/').filter(Boolean).map(plainName));

describe('how a path lies to a file of some names', () => {
  test.each([
    ['mcp.json', '/ws/mcp.json', 'same'],
    ['mcp.json', '/ws/.cursor/mcp.json', 'same'],
    ['mcp.json', '/ws/mcp.json/x', 'inside'],
    ['mcp.json', '/ws/mcp.jsonx', undefined],
    ['.cursor/*.json', '/ws/.cursor/mcp.json', 'same'],
    ['.cursor/*.json', '/ws/.cursor/.json', 'same'],
    ['.cursor/*.json', '/ws/.cursor/rules/x.json', undefined],
    ['.cursor/*.json', '/ws/.cursor', 'above'],
    ['.cursor/*.json', '/ws/x/.cursor/a.json/b', 'inside'],
    ['.cursor/*.json', '/ws/cursor/mcp.json', undefined],
    ['.kiro/settings/mcp.json', '/.kiro', 'above'],
    ['.kiro/settings/mcp.json', '/ws/.kiro/settings', 'above'],
    ['.kiro/settings/mcp.json', '/ws/settings', undefined],
    ['.git', '/ws/a/.git', 'same'],
    ['.git', '/ws/.git/hooks/pre-commit', 'inside'],
    ['.git', '/ws/.gitignore', undefined],
    ['*.code-workspace', '/ws/app.code-workspace', 'same'],
    ['a/b', '/a/a/b', 'same'],
    ['a/b', '/a/a', 'above'],
  ])('%s, %s: %s', (pattern, place, relation) => {
    expect(relationOf(pattern, place)).toBe(relation);
  });
});

describe('names that are the same on some file system', () => {
  test.each([
    ['.GIT', '.git'],
    ['.g\u200cit', '.git'],
    ['\ufeff.git', '.git'],
    ['hook\u017f', 'hooks'],
    ['\u212airo', 'kiro'],
    ['caf\u00e9', 'cafe\u0301'],
    ['stra\u00dfe', 'STRASSE'],
    ['\uff0egit', '.git'],
  ])('%s and %s', (one, other) => {
    expect(isSameName(one, other)).toBe(true);
  });

  test('and others are not', () => {
    expect(isSameName('.git', 'git')).toBe(false);
    expect(isSameName('viaduct.yaml', 'viaduct.yml')).toBe(false);
  });

  test('whatever a name is, it is the same in capitals and small letters, composed or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        for (const spelt of [name.toUpperCase(), name.toLowerCase(), name.normalize('NFD'), name.normalize('NFC')])
          expect(plainName(spelt)).toBe(plainName(name));
      }),
    );
  });
});
