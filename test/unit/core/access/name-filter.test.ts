import { describe, expect, test } from 'vitest';
import { nameFilter } from '../../../../src/core/access/name-filter.ts';

describe('a name exists for clients', () => {
  test.each([
    [['*'], [], ['a', 'read_file', '.hidden', 'a/b', 'a b', 'é', '__proto__', '-'], []],
    [[], [], [], ['a', '']],
    [['*file'], [], ['.file', 'a/.file'], ['.files']],
    [['read_*'], [], ['read_file', 'read_', 'read_a/b', 'read_.x'], ['write_file', 'xread_file', 'READ_file', 'read']],
    [['*'], ['delete*'], ['read', 'undelete'], ['delete', 'delete_all', 'delete/all']],
    [['read_*', 'list'], ['read_secret'], ['read_file', 'list'], ['read_secret', 'lists']],
    [['*'], ['*'], [], ['a']],
    [['!(delete*)'], [], ['read'], ['delete', 'delete_all']],
    [['{get,list}_*'], [], ['get_a', 'list_a'], ['put_a']],
    [['get_?'], [], ['get_a'], ['get_ab', 'get_']],
    [['get_[ab]'], [], ['get_a', 'get_b'], ['get_c']],
    [['*_file'], ['*_file'], [], ['read_file']],
    [['a.b'], [], ['a.b'], ['axb']],
    [['a+b'], [], ['a+b'], ['aab']],
    [['*'], [], ['x'.repeat(257)], []],
    [['*'], ['y'], ['x'.repeat(256)], ['x'.repeat(257)]],
    [['x*'], [], ['x'.repeat(256)], ['x'.repeat(257)]],
  ])('allow %j, deny %j: %j and not %j', (allow, deny, yes, no) => {
    const accepts = nameFilter({ allow, deny });
    expect(yes.filter((name) => !accepts(name))).toEqual([]);
    expect(no.filter((name) => accepts(name))).toEqual([]);
  });
});
