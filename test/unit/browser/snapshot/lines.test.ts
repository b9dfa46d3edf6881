import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../../src/browser/snapshot/lines.ts';
import type { ShownItem, ShownNode } from '../../../../src/browser/snapshot/shown-item.ts';

const LIMITS = { name: 40, text: 60, options: 3 };
const texts = (items: readonly ShownItem[]) =>
  linesOf(items, LIMITS).map(({ depth, text }) => `${' '.repeat(depth)}${text}`);
const link = (id: string, text: string, url: string): ShownNode => ({ role: 'link', id, url, items: [text] });
const button = (id: string, text: string): ShownNode => ({ role: 'button', id, items: [text] });
const cell = (...items: ShownItem[]): ShownNode => ({ role: 'cell', items });

describe('the lines of a page', () => {
  test('what stands on one line of the page is on one line', () => {
    expect(texts(['Read the ', link('e1', 'terms', '/t'), ' first.', 0, 'Then go.'])).toEqual([
      '"Read the" link e1 "terms" /t "first."',
      '"Then go."',
    ]);
  });

  test('a thing has its text as its name; a label or an attribute goes before it', () => {
    expect(texts([button('e1', ' Buy  now '), 0, { ...button('e2', 'x'), name: 'Close' }])).toEqual([
      'button e1 "Buy now"',
      'button e2 "Close"',
    ]);
    const image: ShownNode = { role: 'img', name: 'Logo' };
    expect(texts([{ role: 'link', id: 'e1', url: '/', items: [image, 0, 'Home'] }])).toEqual(['link e1 "Logo Home" /']);
  });

  test('fields have a line of their own, with value, options and states', () => {
    const fields: ShownNode[] = [
      { role: 'textbox', id: 'e1', name: 'Name', value: 'Ada', states: ['required', 'focused'] },
      { role: 'textbox', id: 'e2', name: 'Password', isSecret: true },
      { role: 'combobox', id: 'e3', name: 'Size', value: 'M', options: ['S', 'M'], optionCount: 2 },
      { role: 'combobox', id: 'e4', name: 'Year', options: ['1', '2'], optionCount: 90 },
    ];
    expect(texts(fields)).toEqual([
      'textbox e1 "Name" = "Ada" required focused',
      'textbox e2 "Password" = (hidden)',
      'combobox e3 "Size" = "M" (2 options: "S", "M")',
      'combobox e4 "Year" (90 options)',
    ]);
  });

  test('headings have a level; what has neither a name nor an id is left out', () => {
    expect(texts([{ role: 'heading', level: 2, items: ['Shop'] }, 0, { role: 'img' }, { role: 'heading' }])).toEqual([
      'heading 2 "Shop"',
    ]);
  });

  test('a heading with a link says so on its line; other things with things in them are opened', () => {
    expect(texts([{ role: 'heading', level: 2, items: ['About ', link('e1', 'tea', '/tea')] }])).toEqual([
      'heading 2 "About" link e1 "tea" /tea',
    ]);
    expect(texts([{ role: 'clickable', id: 'e1', items: ['Card', 0, button('e2', 'Buy')] }])).toEqual([
      'clickable e1',
      ' "Card"',
      ' button e2 "Buy"',
    ]);
  });

  test('a thing with a long text keeps all of it', () => {
    const long = 'word '.repeat(10).trim();
    expect(texts([{ role: 'clickable', id: 'e1', items: [long, 0, long] }])).toEqual([
      'clickable e1',
      ` "${long}"`,
      ` "${long}"`,
    ]);
  });

  test('items of lists and rows of tables are one line each while they are short', () => {
    const list: ShownNode = {
      role: 'list',
      items: [
        { role: 'listitem', items: [link('e1', 'Home', '/')] },
        { role: 'listitem', items: ['Tea', 0, '2.50', 0, button('e2', 'Buy')] },
      ],
    };
    expect(texts([list])).toEqual(['link e1 "Home" /', '* "Tea" | "2.50" | button e2 "Buy"']);
    const table: ShownNode = {
      role: 'table',
      name: 'Orders',
      items: [
        { role: 'row', items: [{ role: 'columnheader', items: ['Name'] }, { role: 'columnheader' }] },
        { role: 'row', items: [cell('Tea'), cell(0, button('e3', 'Remove'), 0), cell()] },
        { role: 'row', items: [cell('x'.repeat(50)), cell({ role: 'dialog', items: [button('e4', 'Go')] })] },
      ],
    };
    expect(texts([table])).toEqual([
      'table "Orders"',
      ' columns "Name" | ""',
      ' row "Tea" | button e3 "Remove" | ""',
      ' row',
      `  "${'x'.repeat(50)}"`,
      '  dialog',
      '   button e4 "Go"',
    ]);
  });

  test('landmarks are shown by their names only; dialogs always, forms of more than one line too', () => {
    expect(
      texts([
        { role: 'main', items: ['a'] },
        { role: 'navigation', name: 'Main', items: ['b'] },
      ]),
    ).toEqual(['"a"', 'navigation "Main"', ' "b"']);
    expect(
      texts([
        { role: 'dialog', states: ['modal'], items: ['Sure?'] },
        { role: 'form', items: ['f', 0, 'g'] },
        { role: 'form', items: ['h'] },
      ]),
    ).toEqual(['dialog modal', ' "Sure?"', 'form', ' "f"', ' "g"', '"h"']);
  });

  test('a region is not named again by its heading', () => {
    const heading: ShownNode = { role: 'heading', level: 2, items: ['Offers'] };
    expect(texts([{ role: 'region', name: 'Offers', items: [0, heading, 0, 'Tea'] }])).toEqual([
      'heading 2 "Offers"',
      '"Tea"',
    ]);
  });

  test('texts are cut, and addresses that are no word are quoted', () => {
    expect(texts(['y'.repeat(70)])).toEqual([`"${'y'.repeat(59)}…"`]);
    expect(texts([link('e1', 'Mail', 'mailto:a b" button e9')])).toEqual(['link e1 "Mail" "mailto:a b\\" button e9"']);
  });
});
