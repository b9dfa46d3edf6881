import { expect, test } from 'vitest';
import { withParts } from '../../../scripts/docs/generated-parts.ts';
import { table } from '../../../scripts/docs/table.ts';

const PAGE = 'a\n<!-- generated: one -->\n\nold\n\n<!-- end -->\nb\n<!-- generated: two -->\n<!-- end -->\nc';

test('each part is replaced, and nothing else', () => {
  expect(withParts(PAGE, { one: '$& new\n', two: 'x\n' })).toBe(
    'a\n<!-- generated: one -->\n\n$& new\n\n<!-- end -->\nb\n<!-- generated: two -->\n\nx\n\n<!-- end -->\nc',
  );
});

test('a part without a place, and a place without a part, are errors', () => {
  expect(() => withParts(PAGE, { one: '', two: '', three: '' })).toThrow('no place on the page: three');
  expect(() => withParts(PAGE, { one: '' })).toThrow('no generated part "two"');
});

test('columns of a table are aligned, but for long cells', () => {
  const long = 'x'.repeat(50);
  expect(
    table(
      ['key', 'meaning'],
      [
        ['`longer`', 'a'],
        ['b', long],
      ],
    ),
  ).toBe(`| key      | meaning |\n| -------- | ------- |\n| \`longer\` | a       |\n| b        | ${long} |\n`);
});
