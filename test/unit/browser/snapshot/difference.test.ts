import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutLines } from '../../../../src/browser/snapshot/cut-lines.ts';
import { difference } from '../../../../src/browser/snapshot/difference.ts';
import { lineChanges } from '../../../../src/browser/snapshot/line-changes.ts';
import type { Line } from '../../../../src/browser/snapshot/shown-item.ts';

/** Lines as they are shown; the first id of each is its own. */
const lines = (...shown: string[]): Line[] =>
  shown.map((line) => ({
    depth: line.length - line.trimStart().length,
    text: line.trimStart(),
    id: /\be\d+/.exec(line)?.[0],
  }));

describe('the difference of two snapshots', () => {
  test('names what the change stands within, tells new from gone, and shows a new state once', () => {
    const before = lines(
      'heading 1 "Shop"',
      'form "Login"',
      ' textbox e1 "Name"',
      ' button e2 "Go"',
      'row "a"',
      '"End"',
    );
    const after = lines(
      'heading 1 "Shop"',
      'form "Login"',
      ' textbox e1 "Name" = "Ada"',
      ' alert "Wrong"',
      ' button e2 "Go"',
      'dialog "Sure?"',
      ' button e3 "Yes"',
      '"End"',
    );
    expect(difference(before, after)).toEqual([
      'in form "Login":',
      '~ textbox e1 "Name" = "Ada"',
      '+ alert "Wrong"',
      'in the page:',
      '- row "a"',
      '+ dialog "Sure?"',
      '+  button e3 "Yes"',
    ]);
  });

  test('is empty when nothing has changed', () => {
    const same = lines('heading 1 "Shop"', ' button e1 "Go"');
    expect(difference(same, same)).toEqual([]);
  });

  test('finds changes at both ends of a page of 20,000 lines', () => {
    const middle = Array.from({ length: 20_000 }, (_, index) => `button e${index} "x"`);
    const changed = difference(lines('"1"', ...middle, '"a"'), lines('"2"', ...middle, '"b"'));
    expect(changed).toEqual(['- "1"', '+ "2"', '- "a"', '+ "b"']);
  });

  test('lines of changes make both texts', () => {
    const some = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 12 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        const changes = lineChanges(before, after);
        expect(changes.filter(([mark]) => mark !== '+').map(([, text]) => text)).toEqual(before);
        expect(changes.filter(([mark]) => mark !== '-').map(([, text]) => text)).toEqual(after);
      }),
    );
  });
});

describe('cutting', () => {
  test('keeps whole lines and counts those that do not fit', () => {
    expect(cutLines(['aa', 'bb', 'cc'], 6)).toEqual({ lines: ['aa', 'bb'], leftOut: 1 });
    expect(cutLines(['aa', 'bb'], 6)).toEqual({ lines: ['aa', 'bb'], leftOut: 0 });
    expect(cutLines(['aa'], -5)).toEqual({ lines: [], leftOut: 1 });
  });
});
