import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Descriptor, EntryKind } from '../../../../../src/core/providers/provider.ts';
import { EntryMemory } from '../../../../../src/upstream/lists/entries/entry-memory.ts';
import {
  type EntryReading,
  isDescriptor,
  readEntry,
  type SkippedEntry,
} from '../../../../../src/upstream/lists/entries/entry-reader.ts';
import { addHints } from '../../../../../src/upstream/lists/entries/hints.ts';
import { elementsOf } from '../../../../../src/wire/lens.ts';

const READINGS: readonly EntryReading[] = [
  { era: 'legacy' },
  { era: 'modern' },
  { era: 'legacy', transform: addHints },
  { era: 'modern', transform: addHints },
];

function spansOf(page: Buffer) {
  return elementsOf(page, { start: 0, end: page.length }, 1_000);
}

type Entry = Descriptor | SkippedEntry;

function readAnew(kind: EntryKind, page: Buffer, reading: EntryReading): Entry[] {
  return spansOf(page).map((span) => readEntry(kind, page, span, reading));
}

function readAgain(memory: EntryMemory, page: Buffer, reading: EntryReading): Entry[] {
  const list = memory.begin(reading);
  const entries = spansOf(page).map((span) => list.read(page, span));
  list.keep();
  return entries;
}

const names = fc.constantFrom('a', 'get-b', 'c', 'd', 'größe');
const texts = fc.constantFrom('plain', 'x\u200by', 'ü', '\ud83d\ude00', '\u001b[31m');
const schemas = fc.constantFrom<unknown>(
  { type: 'object' },
  { type: 'object', properties: { a: { type: 'string' } } },
  { type: ['object', 'null'], required: null, properties: { a: true } },
  { type: 'object', properties: { 'a\u200b': { type: 'nonsense' } } },
  null,
  'none',
);
const tools = fc.record(
  {
    name: names,
    description: texts,
    inputSchema: schemas,
    outputSchema: schemas,
    annotations: fc.constantFrom({}, { readOnlyHint: true }),
    execution: fc.constantFrom({ taskSupport: 'optional' }),
    uri: fc.constantFrom('x:a', 'x:b'),
  },
  { requiredKeys: ['name'] },
);
const entries = fc.oneof({ weight: 9, arbitrary: tools }, fc.constantFrom<unknown>(7, {}, { name: 1 }));
const lists = fc.array(entries, { maxLength: 6 }).map((list) => Buffer.from(JSON.stringify(list)));

test('a list that is read again gives what it gives when everything is read anew', () => {
  const steps = fc.array(fc.tuple(lists, fc.constantFrom(...READINGS)), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom<EntryKind>('tool', 'prompt', 'resource'), steps, (kind, readings) => {
      const memory = new EntryMemory(kind);
      for (const [page, reading] of readings)
        expect(readAgain(memory, page, reading)).toEqual(readAnew(kind, page, reading));
    }),
    { numRuns: 300 },
  );
});

const spaced = (list: Buffer) => Buffer.from(JSON.stringify(JSON.parse(list.toString()), undefined, 1));

test('a list is divided by comparing as by scanning, and its entries are those of before', () => {
  const spacing = fc.constantFrom((list: Buffer) => list, spaced);
  const steps = fc.array(fc.tuple(lists, spacing), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(steps, (readings) => {
      const memory = new EntryMemory('tool');
      for (const [list, space] of readings) {
        const text = Buffer.concat([Buffer.from('{"a":'), space(list), Buffer.from(',"b":[]}')]);
        const whole = { start: text.indexOf('['), end: text.lastIndexOf(']', text.indexOf('"b"')) + 1 };
        const spans = elementsOf(text, whole, 1_000);
        const reading = memory.begin({});
        const recalled = reading.recall(text, whole.start);
        if (recalled !== undefined) {
          expect(recalled.end).toBe(whole.end);
          expect(recalled.entries.map(({ start, end }) => [start, end])).toEqual(
            spans.map(({ start, end }) => [start, end]),
          );
        }
        const read = (recalled?.entries ?? spans).map((entry) => reading.read(text, entry));
        expect(read).toEqual(spans.map((span) => readEntry('tool', text, span)));
        reading.keep();
      }
    }),
    { numRuns: 300 },
  );
});

test('a list of which too much is new is not divided by comparing', () => {
  const memory = new EntryMemory('tool');
  const many = (mark: string) => page(...Array.from({ length: 100 }, (_, index) => tool(`t${index}`, mark)));
  readAgain(memory, many('a'), {});
  expect(memory.begin({}).recall(many('a'), 0)?.entries).toHaveLength(100);
  expect(memory.begin({}).recall(many('b'), 0)).toBeUndefined();
});

const page = (...list: readonly object[]) => Buffer.from(JSON.stringify(list));
const tool = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' } });

test('an entry with the same bytes is the same object, wherever it is in the list', () => {
  const memory = new EntryMemory('tool');
  const [a, b] = readAgain(memory, page(tool('a'), tool('b', 'x\u200by')), {});
  const [c, again, changed] = readAgain(memory, page(tool('c'), tool('b', 'x\u200by'), tool('a', 'new')), {});
  expect(again).toBe(b);
  expect(changed).not.toBe(a);
  expect([c, changed].every((entry) => isDescriptor(entry!))).toBe(true);
});

test('another era or transform reads all entries anew, and a reading that is given up changes nothing', () => {
  const memory = new EntryMemory('tool');
  const list = page(tool('get-a'));
  const [first] = readAgain(memory, list, {});
  memory.begin({ era: 'modern' }).read(list, spansOf(list)[0]!);
  expect(readAgain(memory, list, {})[0]).toBe(first);
  const [hinted] = readAgain(memory, list, { transform: addHints });
  expect(hinted).not.toBe(first);
  expect(readAgain(memory, list, {})[0]).toEqual(first);
});

test('a list whose entries are known from an earlier run gives what it gives when everything is read anew', () => {
  const pages = fc.tuple(lists, lists);
  const kinds = fc.constantFrom<EntryKind>('tool', 'prompt', 'resource');
  fc.assert(
    fc.property(kinds, pages, fc.constantFrom(...READINGS), (kind, [before, now], reading) => {
      const kept = readAnew(kind, before, reading).filter(isDescriptor);
      // The texts of what was kept may come from the server next, where it has mended them itself.
      const mended = Buffer.from(`[${kept.map(({ text, source }) => source ?? text).join(',')}]`, 'latin1');
      for (const page of [before, now, mended]) {
        const memory = new EntryMemory(kind);
        memory.restore(kept, reading);
        expect(readAgain(memory, page, reading)).toEqual(readAnew(kind, page, reading));
      }
    }),
  );
});

test('entries of an earlier run are not read again if they are the same, and were read in the same way', () => {
  const page = Buffer.from('[{"name":"a","inputSchema":{"type":"object"}}]');
  const kept = readAnew('tool', page, { era: 'modern' }).filter(isDescriptor);
  const memory = new EntryMemory('tool');
  memory.restore(kept, { era: 'modern' });
  expect(memory.begin({ era: 'modern' }).read(page, spansOf(page)[0]!)).toBe(kept[0]);
  expect(memory.begin({ era: 'legacy' }).read(page, spansOf(page)[0]!)).not.toBe(kept[0]);
});
