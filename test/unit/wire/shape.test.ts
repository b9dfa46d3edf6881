import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Frame } from '../../../src/wire/frame.ts';
import { JsonTextError } from '../../../src/wire/json-error.ts';
import { outlineOf } from '../../../src/wire/lens.ts';
import { MAX_PARTS } from '../../../src/wire/scanning/limits.ts';
import { holdsAny, type Marks } from '../../../src/wire/scanning/search.ts';
import { type Shape, stringsAt } from '../../../src/wire/shape.ts';
import { jsonTexts } from './arbitraries.ts';

/** A text in pieces, as it may come from a stream: with others before and behind it. */
function framed(json: string, cuts: readonly number[] = []): Frame {
  const text = Buffer.from(json);
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((end, index) => text.subarray(places[index], end));
  return new Frame(pieces, outlineOf(text));
}

const cuts = fc.array(fc.nat(), { maxLength: 4 });
const found = (json: string, shape: Shape, at: readonly number[] = []) => {
  const frame = framed(json, at);
  return stringsAt(frame, frame.outline, shape).map((span) => frame.raw(span));
};

test('of too many parts in one place none is kept', () => {
  const list: Shape = { each: 'string' };
  expect(found(`[${'"a",'.repeat(MAX_PARTS - 1)}"b"]`, list)).toHaveLength(MAX_PARTS);
  const wide = `${'"a",'.repeat(MAX_PARTS)}"b"`;
  expect(() => found(`{"a":[${wide}]}`, { members: { a: list } })).toThrow(JsonTextError);
});

test('many elements in many pieces are found', () => {
  expect(found(`[${'"a",'.repeat(1_000)}"b"]`, { each: 'string' }, [7, 301, 2_000]).at(-1)).toBe('"b"');
});

describe('strings at a shape', () => {
  const shape: Shape = {
    all: [
      { members: { a: 'string', list: { each: { members: { b: 'string' } } }, map: { values: 'string' } } },
      { byType: { x: { members: { onlyX: 'string' } } } },
    ],
  };

  test.each([
    ['{"a":"1","b":"2"}', ['"1"']],
    ['{"a":{"a":"1"}}', []],
    ['{"a":"1","a":"2"}', ['"1"', '"2"']],
    ['{"list":[{"b":"1"},{"c":"2"},"3",{"b":4},{"b":"5"}]}', ['"1"', '"5"']],
    ['{"list":{"b":"1"}}', ['"1"']],
    ['{"map":{"p":"1","q":["2"],"__proto__":"3"}}', ['"1"', '"3"']],
    ['{"type":"x","onlyX":"1"}', ['"1"']],
    ['{"type":"\\u0078","onlyX":"1"}', ['"1"']],
    ['{"type":"y","onlyX":"1"}', []],
    ['{"onlyX":"1"}', []],
    ['{"type":"constructor","a":"1"}', ['"1"']],
    ['{"\\u0061":"1"}', ['"1"']],
    ['["1"]', []],
    ['"1"', []],
    ['{}', []],
  ])('of %s are %j', (json, expected) => expect(found(json, shape)).toEqual(expected));

  test('are the same however the text arrives', () => {
    const json = '{"map":{"p":"é\\"1","q":"2"},"list":[{"b":"long long text"},{"b":"5"}],"a":"1"}';
    fc.assert(
      fc.property(cuts, (at) => {
        expect(found(json, shape, at)).toEqual(found(json, shape));
      }),
    );
  });

  test('are found in any JSON without a fault', () => {
    fc.assert(fc.property(jsonTexts, cuts, (json, at) => void found(json, shape, at)));
  });
});

describe('a peer that names very many strings', () => {
  const each: Shape = { each: 'string' };

  test.each([
    ['in one array', `[${'"a",'.repeat(MAX_PARTS)}"a"]`, each],
    ['in several arrays', `[[${'"a",'.repeat(MAX_PARTS - 1)}"a"],["a"]]`, { each } as Shape],
  ])('%s is refused', (_where, json, shape) => {
    expect(() => found(json, shape)).toThrow(JsonTextError);
  });

  test('up to the limit all are found', () => {
    expect(found(`[${'"a",'.repeat(MAX_PARTS - 1)}"a"]`, each)).toHaveLength(MAX_PARTS);
  });
});

describe('marks', () => {
  const marks: Marks = { inSmall: ['"uri', 'abc'], inLarge: ['"uri', 'abc'] };

  test('are found wherever the text is cut, and only in the frame itself', () => {
    const others = fc.string().map((text) => JSON.stringify(text.replaceAll(/["abcu]/g, '')));
    fc.assert(
      fc.property(
        others,
        others,
        fc.constantFrom('"uri"', '"abc"', '"ur"', '"ab"'),
        cuts,
        (before, after, word, at) => {
          const isMark = word === '"uri"' || word === '"abc"';
          expect(holdsAny(framed(`[${before},${word},${after}]`, at), marks)).toBe(isMark);
        },
      ),
    );
    const chunk = Buffer.from('"uri" "x" "uri"');
    expect(
      holdsAny(new Frame([chunk], { kind: 'scalar', start: 6, end: 9, members: [], hasLineBreaks: false }), marks),
    ).toBe(false);
    expect(
      holdsAny(
        new Frame([chunk, Buffer.from(' ')], { kind: 'scalar', start: 6, end: 9, members: [], hasLineBreaks: false }),
        marks,
      ),
    ).toBe(false);
  });
});
