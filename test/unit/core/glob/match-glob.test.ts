import fc from 'fast-check';
import picomatch from 'picomatch';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { matchesGlob } from '../../../../src/core/glob/match-glob.ts';
import { GlobError, globProblem, parseGlob } from '../../../../src/core/glob/parse-glob.ts';

const matches = (glob: string, name: string) => matchesGlob(parseGlob(glob), name);

describe('a glob', () => {
  test.each([
    ['', [''], ['a']],
    ['*', ['', 'a', 'a/b', '.a', 'a\nb'], []],
    ['a*b*c', ['abc', 'aXbXc', 'abcbc'], ['ab', 'abcd', 'acb']],
    ['**', ['', 'a/b'], []],
    ['a?', ['ab', 'a/', 'a*'], ['a', 'abc']],
    ['[abc]x', ['ax', 'cx'], ['dx', 'x', 'abx']],
    ['[a-c-]x', ['bx', '-x'], ['dx']],
    ['[!a-c]x', ['dx', '^x'], ['ax', 'x']],
    ['[^a]x', ['bx'], ['ax']],
    ['[]a]x', [']x', 'ax'], ['bx']],
    ['[(]{a,b}', ['(a', '(b'], ['a']],
    [String.raw`[\]]x`, [']x'], ['ax', '\\x']],
    ['{get,list{,_all}}_x', ['get_x', 'list_x', 'list_all_x'], ['_x', 'get_all_x']],
    ['{a..c}x', ['ax', 'cx'], ['dx', '{a..c}x']],
    ['{c..a}x', ['bx'], ['dx']],
    ['@(a|b)x', ['ax', 'bx'], ['x', 'abx']],
    ['(a|b)x', ['ax', 'bx'], ['x', '(a|b)x']],
    ['?(a)x', ['x', 'ax'], ['aax']],
    ['+(ab|c)x', ['abx', 'cabx', 'cccx'], ['x', 'aabx']],
    ['*(ab|c)x', ['x', 'abx', 'ccabx'], ['ax']],
    ['*(|a)x', ['x', 'aax'], ['bx']],
    ['!(delete*)', ['read', 'undelete', '', 'a/b'], ['delete', 'delete_all']],
    ['!(get|put)_x', ['_x', 'got_x', 'get_get_x'], ['get_x', 'put_x']],
    ['a!(!(b))c', ['abc'], ['ac', 'axc']],
    ['!read_*', ['write'], ['read_x']],
    ['!!read_*', ['read_x'], ['write']],
    [String.raw`\*\!\(\\`, ['*!(\\'], ['a!(']],
    ['a|b', ['a|b'], ['a', 'b']],
    ['a)', ['a)'], ['a']],
    ['!(a', ['!(a'], ['(b']],
    ['{a', ['{a'], ['a']],
    ['{a}', ['{a}'], ['a']],
    ['[a', ['[a'], ['a']],
    ['a,b', ['a,b'], ['a']],
    ['a\\', ['a\\'], ['a']],
    ['a+b$^.', ['a+b$^.'], ['aab$^.']],
  ])('%j matches %j and not %j', (glob, yes, no) => {
    expect(yes.filter((name) => !matches(glob, name))).toEqual([]);
    expect(no.filter((name) => matches(glob, name))).toEqual([]);
  });

  test('matches what picomatch matches', () => {
    const word = fc.stringMatching(/^[ab_-]{0,3}$/);
    const part = fc.oneof(
      word,
      fc.constantFrom('*', '?', '[ab]', '[^ab]', '[a-b_]'),
      fc.tuple(word, word).map(([one, other]) => `{${one},x${other}}`),
      fc
        .tuple(fc.constantFrom('@', '+', '*', '?'), word, word)
        .map(([repeat, one, other]) => `${repeat}(${one}x|${other}y)`),
    );
    // There `**` is for paths, and a mark behind a group repeats it as in a regular expression.
    const isPlain = (glob: string) => glob !== '' && !glob.includes('**') && !/[*?+@)}][*?+@]/.test(glob);
    const globs = fc
      .array(part, { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(''))
      .filter(isPlain);
    fc.assert(
      fc.property(globs, fc.stringMatching(/^[abxy_-]{1,8}$/), (glob, name) => {
        expect(matches(glob, name)).toBe(picomatch(glob, { dot: true, bash: true })(name));
      }),
      { numRuns: 3_000 },
    );
  });

  test('matches a name of which only the length makes it hard', () => {
    expect(matches('*a'.repeat(40), 'a'.repeat(256))).toBe(true);
    expect(matches(`${'*a'.repeat(40)}b`, 'a'.repeat(256))).toBe(false);
    expect(matches('*(*(a|aa)|a)b', 'a'.repeat(256))).toBe(false);
    expect(matches('!(*!(a)a)b', `${'a'.repeat(255)}b`)).toBe(false);
    expect(matches('{'.repeat(100), '{'.repeat(100))).toBe(true);
  });

  test('is refused where its groups are nested too deeply', () => {
    expect(globProblem('!(a*(b|@(c)))')).toBeUndefined();
    expect(globProblem('!(a*(b+(c)))')).toContain('2 deep');
    expect(() => parseGlob('*(*(*(a)))')).toThrow(GlobError);
  });
});

describe('the work of matching', () => {
  afterEach(() => void vi.unstubAllGlobals());

  /** Positions that are gone through: matching makes a list of them for each step. */
  function steps(glob: string, name: string): number {
    let count = 0;
    class Counted extends Uint8Array {
      constructor(length: number) {
        super(length);
        count += length;
      }
    }
    const parsed = parseGlob(glob);
    vi.stubGlobal('Uint8Array', Counted);
    matchesGlob(parsed, name);
    vi.unstubAllGlobals();
    return count;
  }

  test.each([
    ['*a', 'a', 'b'],
    ['*a', 'a', ''],
    ['?*', 'a', ''],
    ['*[ab]', 'ab', 'c'],
    ['*{a,aa}', 'a', 'b'],
    ['?(a)', 'a', 'b'],
    ['@(a|aa|*)', 'a', 'b'],
  ])('grows as the glob and the name do: %j many times on %j', (glob, name, end) => {
    const stepsAt = (size: number) => steps(glob.repeat(size) + end, `${name.repeat(size)}c`);
    expect(stepsAt(80)).toBeLessThan(6 * stepsAt(40));
    expect(stepsAt(80)).toBeLessThan(8 * 80 * glob.length * (80 * name.length));
  });

  test.each([
    ['*(a|aa|*a)b', 1],
    ['+(*a|a*)b', 1],
    ['!(*a*a*a*b)b', 1],
    ['*(a|aa)*(a|aa)*(a|aa)*(a|aa)b', 1],
    ['*(*(a|aa)|a)b', 2],
    ['!(*!(a)a)b', 2],
    ['+(!(a*b)a)b', 2],
  ])('grows by one factor of the name more for each level of groups in %j', (glob, levels) => {
    const name = (size: number) => `${'a'.repeat(size)}c`;
    const bound = 2 ** (levels + 1) * 1.5;
    expect(steps(glob, name(128))).toBeLessThan(bound * steps(glob, name(64)));
  });
});
