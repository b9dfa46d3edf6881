import { describe, expect, test } from 'vitest';
import { nameFault, partsOf } from '../../../src/workspace/path-rules.ts';

describe('a name on Windows', () => {
  test.each([
    ['CON', 'device'],
    ['nul', 'device'],
    ['aux.c', 'device'],
    ['Com1.txt', 'device'],
    ['lpt9', 'device'],
    ['com¹', 'device'],
    ['CONIN$', 'device'],
    ['file.txt:stream', 'stream'],
    ['C:', 'drive'],
    ['name.', 'ends with a dot'],
    ['name ', 'ends with a dot or a space'],
    ['what?', 'does not allow'],
    ['a|b', 'does not allow'],
    ['bell\x07', 'does not allow'],
    ['GIT~1', 'short form of another name'],
    ['viaduc~1.yam', 'short form of another name'],
  ])('%j is refused', (name, words) => {
    expect(nameFault(name, 'win32')).toContain(words);
  });

  test.each(['console', 'nul1', 'com10', 'auxiliary.c', '.git', 'a b', 'ü.txt', 'a~b', 'backup~1.orig', '~1'])(
    '%j is one like any other',
    (name) => {
      expect(nameFault(name, 'win32')).toBeUndefined();
    },
  );
});

test.each(['CON', 'aux.c', 'a:b', 'name.', 'what?'])('elsewhere %j is a name like any other', (name) => {
  expect(nameFault(name, 'linux')).toBeUndefined();
});

test('a name may have as many bytes as file systems take, on Windows as many characters', () => {
  expect([nameFault('ü'.repeat(127), 'linux'), nameFault('ü'.repeat(128), 'linux')]).toEqual([
    undefined,
    expect.stringContaining('longer than 255 bytes'),
  ]);
  expect(nameFault('ü'.repeat(255), 'win32')).toBeUndefined();
});

test('both slashes part a path on Windows, elsewhere one of them is a character', () => {
  expect(partsOf('a\\b/c', 'win32')).toEqual(['a', 'b', 'c']);
  expect(partsOf('a\\b/c', 'linux')).toEqual(['a\\b', 'c']);
});
