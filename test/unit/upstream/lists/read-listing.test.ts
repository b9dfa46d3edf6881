import { expect, test } from 'vitest';
import { type Descriptor, EMPTY_LISTING } from '../../../../src/core/providers/provider.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { NO_ENTRIES } from '../../../../src/upstream/lists/read-list.ts';
import { ReadListing } from '../../../../src/upstream/lists/read-listing.ts';

const toolOf = (ownName: string, more: Partial<Descriptor> = {}) =>
  ({ kind: 'tool', ownName, text: '{}', fingerprint: ownName, ...more }) as Descriptor;
const listOf = (...entries: Descriptor[]) => ({ ...NO_ENTRIES, entries });

function open() {
  let accepts = (_name: string) => true;
  const read = new ReadListing({ log: createLog({ level: 'silent' }), accepts: (name) => accepts(name) });
  return {
    read,
    names: () => read.listing.tool.map(({ ownName }) => ownName),
    denied: () => read.findings.denied.map(({ ownName }) => ownName),
    setAccepts: (rule: (name: string) => boolean) => {
      accepts = rule;
    },
  };
}

test('a whole list makes its kind known, and a part of one does not', () => {
  const { read, names } = open();
  expect(read.takePart('tool', listOf(toolOf('a')))).toBe(true);
  expect([names(), read.isKnown('tool'), [...read.known]]).toEqual([['a'], false, []]);
  expect(read.take('tool', listOf(toolOf('a')))).toBe(false);
  expect([read.isKnown('tool'), read.isKnown(), [...read.known]]).toEqual([true, false, ['tool']]);
  for (const kind of ['prompt', 'resource', 'template'] as const) read.take(kind, NO_ENTRIES);
  expect(read.isKnown()).toBe(true);
});

test('the listing is the same object as long as no entry is another', () => {
  const { read } = open();
  read.take('tool', listOf(toolOf('a')));
  const { listing } = read;
  read.take('tool', listOf(toolOf('a')));
  expect(read.listing).toBe(listing);
  expect(read.take('tool', listOf(toolOf('a', { fingerprint: 'other' })))).toBe(true);
  expect(read.listing).not.toBe(listing);
});

test('a tool is found by its name', () => {
  const { read } = open();
  const tool = toolOf('b');
  read.take('tool', listOf(toolOf('a'), tool));
  expect([read.tool('b'), read.tool('c')]).toEqual([tool, undefined]);
});

test('other rules move tools between those that are allowed and those that are denied', () => {
  const { read, names, denied, setAccepts } = open();
  read.take('tool', listOf(toolOf('a'), toolOf('b')));
  setAccepts((name) => name === 'a');
  read.onRulesChanged();
  expect([names(), denied()]).toEqual([['a'], ['b']]);
  setAccepts(() => true);
  read.onRulesChanged();
  expect([names(), denied()]).toEqual([['a', 'b'], []]);
});

test('lists of an earlier run are known, and cut by the rules that hold now', () => {
  const { read, names, denied, setAccepts } = open();
  setAccepts((name) => name !== 'a');
  const tools = [toolOf('a'), toolOf('b', { isSuspicious: true })];
  read.restore({ listing: { ...EMPTY_LISTING, tool: tools }, kinds: ['tool', 'prompt'], reading: {} });
  expect([names(), denied(), [...read.known]]).toEqual([['b'], ['a'], ['tool', 'prompt']]);
  expect(read.findings.suspicious).toEqual(['b']);
});
