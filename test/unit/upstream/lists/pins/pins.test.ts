import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PinBook } from '../../../../../src/core/stores/pin-store.ts';
import {
  accept,
  approveAll,
  differingMembers,
  judge,
  note,
  presentTool,
} from '../../../../../src/upstream/lists/pins/pins.ts';

const tool = (name: string, description = name) =>
  presentTool(name, JSON.stringify({ name, description, inputSchema: { type: 'object' } }));
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
const noteOf = (pins: PinBook, tools: ReturnType<typeof tool>[], since = 'later') =>
  note(pins, judge(pins, tools), false, since);

describe('the hash of a tool', () => {
  test('is that of what it means: order of members, white space and escapes do not matter', () => {
    const one = presentTool('t', '{"name":"t","description":"é","inputSchema":{"type":"object","required":["a","b"]}}');
    const other = presentTool(
      't',
      '{ "inputSchema" : {"required":["a", "b"],"type":"object"},\n"description":"\\u00e9","name":"t" }',
    );
    expect(other.hash).toBe(one.hash);
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['name', '"u"'],
    ['title', '"t"'],
    ['description', '"d\u200b"'],
    ['inputSchema', '{"required":["b","a"]}'],
    ['outputSchema', '{}'],
    ['annotations', '{"readOnlyHint":true}'],
  ])('changes with %s', (member, value) => {
    const base = '"name":"t","description":"d","inputSchema":{"required":["a","b"]}';
    const before = presentTool('t', `{${base}}`);
    const after = presentTool('t', `{${base},"${member}":${value}}`);
    expect(after.hash).not.toBe(before.hash);
    expect(differingMembers(before.definition, after.definition)).toEqual([member]);
  });

  test.each(['icons', '_meta', 'execution'])('does not change with %s', (member) => {
    expect(presentTool('t', `{"name":"t","${member}":{"a":1}}`).hash).toBe(presentTool('t', '{"name":"t"}').hash);
  });
});

describe('tools are judged', () => {
  const pins = approveAll([tool('same'), tool('other'), tool('gone'), tool('__proto__')], 'first');

  test('by name and hash: a renamed tool is a new one', () => {
    const found = judge(pins, [
      tool('same'),
      tool('other', 'changed'),
      tool('renamed', 'gone'),
      tool('__proto__', 'x'),
    ]);
    expect(names(found.changed)).toEqual(['other', '__proto__']);
    expect(names(found.added)).toEqual(['renamed']);
  });

  test('against what was approved, not against what was noted', () => {
    const { pins: noted } = noteOf(pins, [tool('other', 'changed')]);
    expect(names(judge(noted, [tool('other', 'changed')]).changed)).toEqual(['other']);
    expect(judge(noted, [tool('other')])).toEqual({ changed: [], added: [] });
  });
});

describe('what differs is noted', () => {
  const pins = approveAll([tool('a'), tool('b')], 'first');

  test('once, with the time when it was seen first', () => {
    const first = noteOf(pins, [tool('a', 'changed'), tool('c')], 'second');
    expect([...first.fresh]).toEqual(['a', 'c']);
    const again = noteOf(first.pins, [tool('a', 'changed'), tool('c')], 'third');
    expect(again.fresh.size).toBe(0);
    expect(again.pins).toBe(first.pins);
    const more = noteOf(first.pins, [tool('a', 'changed again'), tool('c')], 'fourth');
    expect([...more.fresh]).toEqual(['a']);
    expect(more.pins.get('a')!.pending!.since).toBe('fourth');
    expect(more.pins.get('c')!.pending!.since).toBe('second');
  });

  test('until the tool is as it was, or gone; what was approved stays', () => {
    const { pins: noted } = noteOf(pins, [tool('a', 'changed'), tool('c')]);
    expect(noteOf(noted, [tool('a')]).pins).toEqual(pins);
    expect(noteOf(noted, []).pins).toEqual(pins);
  });
});

describe('accepting', () => {
  test('one tool leaves the others as they are', () => {
    const { pins } = noteOf(approveAll([tool('a'), tool('b')], 'first'), [tool('a', 'x'), tool('b', 'y')]);
    const accepted = accept(pins, (name) => name === 'a', 'now');
    expect(names(judge(accepted, [tool('a', 'x'), tool('b', 'y')]).changed)).toEqual(['b']);
    expect(accepted.get('a')).toEqual({
      approved: { hash: tool('a', 'x').hash, definition: tool('a', 'x').definition, since: 'now' },
    });
  });

  test('everything leaves nothing to judge, whatever came before', () => {
    const lists = fc.array(
      fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), text: fc.constantFrom('1', '2') }), {
        selector: ({ name }) => name,
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(lists, (steps) => {
        let pins: PinBook = new Map();
        const all = steps.map((step) => step.map(({ name, text }) => tool(name, text)));
        for (const tools of all) pins = noteOf(pins, tools).pins;
        expect(
          judge(
            accept(pins, () => true, 'now'),
            all.at(-1)!,
          ),
        ).toEqual({ changed: [], added: [] });
      }),
    );
  });
});
