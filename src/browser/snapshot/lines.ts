import { tidy } from '../text/tidy.ts';
import { joined, LineList } from './line-list.ts';
import { phrase, type TextLimits } from './phrase.ts';
import { quote } from './quote.ts';
import { hasActed, type Line, nameOf, type ShownItem, type ShownNode, textOf } from './shown-item.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Things that have their text as their name. */
const LEAVES = words(
  'link button heading checkbox radio switch option menuitem menuitemcheckbox menuitemradio tab treeitem clickable img ' +
    'textbox searchbox combobox slider spinbutton scrollbar file color date datetime-local month time week progressbar ' +
    'meter video audio canvas alert status tooltip timer',
);
/** These have a line of their own, so that a difference shows which one has changed. */
const FIELDS = words(
  'checkbox radio switch textbox searchbox combobox slider spinbutton file color date datetime-local month time week',
);
/** Their text is news, regardless of their label. */
const NEWS = words('alert status timer');
/** Leaves that say nothing without a name, a value, or an id. */
const MUTE = words('heading img alert status tooltip timer');
/** Content of these is indented even if they have no name. */
const SHOWN = words('dialog alertdialog form frame');
const CELLS = words('cell gridcell columnheader rowheader');

/** An item of a list or a row of a table stands on one line if it is no longer. */
const MAX_GROUP = 400;

/** Returns the lines of a page: what stands on one line of the page, or in one row, is on one line. */
export function linesOf(items: readonly ShownItem[], limits: TextLimits): readonly Line[] {
  const lines = new LineList();
  for (const item of items) addItem(lines, item, limits);
  return lines.end();
}

function addItem(lines: LineList, item: ShownItem, limits: TextLimits): void {
  if (item === 0) lines.endLine();
  else if (typeof item === 'object') addNode(lines, item, limits);
  else if (tidy(item) !== '') lines.addPart(quote(item, limits.text));
}

function addNode(lines: LineList, node: ShownNode, limits: TextLimits): void {
  const { role, id, items = [] } = node;
  if (LEAVES.has(role) || id !== undefined) addLeaf(lines, node, limits);
  else if (role === 'row') addRow(lines, items, limits);
  else if (role === 'listitem') addListItem(lines, items, limits);
  else if (role === 'article' && node.name === undefined) addGroup(lines, linesOf(items, limits));
  else if (role !== 'separator') addContainer(lines, node, limits);
}

function addLeaf(lines: LineList, node: ShownNode, limits: TextLimits): void {
  const { role, id, value, items = [] } = node;
  const content = tidy(textOf(items));
  const isWhole = !hasActed(items) && (LEAVES.has(role) ? content.length <= limits.name : content === '');
  if (!isWhole) addNested(lines, node, limits);
  else {
    const name = NEWS.has(role) ? content || nameOf(node) : nameOf(node);
    const isEmpty = MUTE.has(role) && id === undefined && value === undefined && tidy(name) === '';
    if (!isEmpty) addWhole(lines, node, phrase(node, tidy(name), limits));
  }
}

function addWhole(lines: LineList, { role, id }: ShownNode, text: string): void {
  if (FIELDS.has(role)) lines.addLines([{ depth: 0, text, id }]);
  else lines.addPart(text, id);
}

/** Adds something that holds more than its name. */
function addNested(lines: LineList, node: ShownNode, limits: TextLimits): void {
  const { role, id, name = '', items = [] } = node;
  if (role === 'heading') {
    lines.addPart(phrase(node, '', limits));
    for (const item of items) addItem(lines, item, limits);
    return;
  }
  const inner = linesOf(items, limits);
  lines.addLines([{ depth: 0, text: phrase(node, tidy(name), limits), id }]);
  lines.addLines(inner, 1);
}

function addRow(lines: LineList, items: readonly ShownItem[], limits: TextLimits): void {
  const cells = items.filter((item) => typeof item === 'object');
  const contents = cells.map((cell) => cellLines(cell, limits));
  if (contents.every((content) => content.length === 0)) return;
  const isHead = cells.every(({ role }) => role === 'columnheader');
  const row = joined(
    contents.map((content) => (content.length === 0 ? { text: '""' } : joined(content, ' '))),
    ' | ',
  );
  const head = isHead ? 'columns' : 'row';
  if (isOneLine(contents.flat())) lines.addLines([{ depth: 0, text: `${head} ${row.text}`, id: row.id }]);
  else {
    lines.addLines([{ depth: 0, text: head }]);
    for (const content of contents) lines.addLines(content, 1);
  }
}

function cellLines(cell: ShownNode, limits: TextLimits): readonly Line[] {
  const isPlain = CELLS.has(cell.role) && cell.id === undefined && cell.states === undefined;
  return linesOf(isPlain ? (cell.items ?? []) : [cell], limits);
}

function addListItem(lines: LineList, items: readonly ShownItem[], limits: TextLimits): void {
  const inner = linesOf(items, limits);
  const [first] = inner;
  if (first === undefined) return;
  if (inner.length === 1 && first.id !== undefined) lines.addLines(inner);
  else if (isOneLine(inner)) addGroup(lines, inner, '* ');
  else {
    lines.addLines([{ ...first, text: `* ${first.text}` }]);
    lines.addLines(inner.slice(1), 1);
  }
}

/** Adds lines that belong together: on one line if they are short. */
function addGroup(lines: LineList, inner: readonly Line[], mark = ''): void {
  if (inner.length === 0 || !isOneLine(inner)) lines.addLines(inner);
  else {
    const { text, id } = joined(inner, ' | ');
    lines.addLines([{ depth: 0, text: mark + text, id }]);
  }
}

function isOneLine(lines: readonly Line[]): boolean {
  return lines.every(({ depth }) => depth === 0) && lines.reduce((sum, { text }) => sum + text.length, 0) <= MAX_GROUP;
}

function addContainer(lines: LineList, node: ShownNode, limits: TextLimits): void {
  const { role, items = [], options } = node;
  const inner = linesOf(items, limits);
  const name = containerName(node);
  // A form of one line, such as a button, groups nothing.
  const isGroup = SHOWN.has(role) && !(role === 'form' && inner.length === 1);
  const isShown = isGroup || name !== '' || node.states !== undefined;
  if (inner.length === 0 && !SHOWN.has(role) && options === undefined) return;
  if (isShown) lines.addLines([{ depth: 0, text: phrase(node, name, limits) }]);
  lines.addLines(inner, isShown ? 1 : 0);
}

/** Returns the name of a container; `''` if its first heading says the same. */
function containerName({ name = '', items = [] }: ShownNode): string {
  const heading = firstNode(items);
  return heading?.role === 'heading' && tidy(nameOf(heading)) === tidy(name) ? '' : tidy(name);
}

function firstNode(items: readonly ShownItem[]): ShownNode | undefined {
  return items.find((item) => typeof item === 'object');
}
