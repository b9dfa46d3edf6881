import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkTurns } from '../../../../../src/core/timing/work-turns.ts';
import { EntryMemory } from '../../../../../src/upstream/lists/entries/entry-memory.ts';
import { type ListLayout, layoutOf } from '../../../../../src/upstream/lists/entries/list-layout.ts';
import { elementsOf, lastMember, membersOf, rawText, typeOfByte } from '../../../../../src/wire/lens.ts';

const MOST = 1_000;

/** Reads a page and remembers it. Returns what it consists of, as texts. */
async function layout(text: Buffer, memory: EntryMemory) {
  const reading = memory.begin({});
  const result = lastMember(membersOf(text), 'result')!;
  const found = await layoutOf({ text, result, member: 'tools', maxEntries: MOST }, reading, new WorkTurns());
  for (const entry of found?.entries ?? []) reading.read(text, entry);
  reading.keep();
  return found && textsIn(text, found);
}

function textsIn(text: Buffer, { entries, members, rest }: ListLayout) {
  const others = members.filter(({ key }) => key !== 'tools').map((member) => [member.key, rawText(rest, member)]);
  return { entries: entries.map((entry) => rawText(text, entry)), others };
}

/** Finds the same by scanning everything. */
function scanned(text: Buffer) {
  const members = membersOf(text, lastMember(membersOf(text), 'result'));
  const list = lastMember(members, 'tools');
  if (list === undefined || typeOfByte(text[list.start]) !== 'array') return undefined;
  return textsIn(text, { entries: elementsOf(text, list, MOST), members, rest: text });
}

const tool = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'ü'),
  tools: fc.constantFrom([], [{ name: 'a' }], '],'),
});
const list = fc.array(tool, { maxLength: 5 }).map((tools) => JSON.stringify(tools));
const member = fc.oneof(
  list.map((tools) => `"tools":${tools}`),
  list.map((tools) => ` "tools" : ${tools} `),
  list.map((tools) => `"x\\"tools":${tools}`),
  list.map((tools) => `"_meta":{"tools":${tools}}`),
  fc.constantFrom('"tools":7', '"nextCursor":"\\"tools\\":["', '"nextCursor":"2"', '"ttlMs":5', '"tool\\u0073":[]'),
);
const page = fc
  .array(member, { maxLength: 4 })
  .map((members) => Buffer.from(`{"jsonrpc":"2.0","result":{${members.join(',')}},"tools":[1],"id":1}`));

test('a page has the parts that a scan of all of it finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 5 }), async (pages) => {
      const memory = new EntryMemory('tool');
      for (const text of pages) expect(await layout(text, memory)).toEqual(scanned(text));
    }),
    { numRuns: 500 },
  );
});

test('a long page is scanned piece by piece', async () => {
  const tools = Array.from({ length: 900 }, (_, index) => ({ name: `t${index}`, description: 'x'.repeat(1_000) }));
  const text = Buffer.from(JSON.stringify({ result: { tools, nextCursor: '2' } }));
  expect(await layout(text, new EntryMemory('tool'))).toEqual(scanned(text));
});

test('of too many entries the first are found', async () => {
  const text = Buffer.from(
    JSON.stringify({ result: { tools: Array.from({ length: 5_000 }, () => 1), nextCursor: '2' } }),
  );
  const found = await layout(text, new EntryMemory('tool'));
  expect(found?.entries).toHaveLength(MOST);
  expect(found?.others).toEqual([['nextCursor', '"2"']]);
});
