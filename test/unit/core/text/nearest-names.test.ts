import { expect, test } from 'vitest';
import { nearestNames } from '../../../../src/core/text/nearest-names.ts';

const names = (...all: string[]) => all.map((name) => ({ told: `f_${name}`, compared: name }));

test.each([
  ['a letter missing', 'reed_file', ['read_file', 'list'], ['f_read_file']],
  ['another spelling', 'readFile', ['write_file', 'read-file'], ['f_read-file']],
  ['a part of it', 'file', ['list', 'read_file'], ['f_read_file']],
  ['nothing alike', 'zzzzzz', ['read_file'], []],
  ['nothing', '', ['read_file'], []],
  ['too long to compare', 'x'.repeat(300), ['x'.repeat(300)], []],
])('%s', (_what, wanted, known, expected) => {
  expect(nearestNames(wanted, names(...known))).toEqual(expected);
});

test('at most five, the nearest first', () => {
  const known = names('toolx3', 'toolx', 'tool', 'toolx1', 'toolx2', 'toolx4');
  expect(nearestNames('toolx', known)).toHaveLength(5);
  expect(nearestNames('toolx', known)[0]).toBe('f_toolx');
});

test('of very many tools, the one that differs least in length is among those compared', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `a_name_of_some_length_${index}_and_more`);
  expect(nearestNames('the_one_that_was_ment', names(...many, 'the_one_that_was_meant'))).toEqual([
    'f_the_one_that_was_meant',
  ]);
});
