import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { memberAdded, membersRemoved } from '../../../../src/wire/edits/object-edits.ts';
import { type Edit, Frame } from '../../../../src/wire/frame.ts';
import { oneLine } from '../arbitraries.ts';
import { memberSlices, memberTexts, objectText, spaces } from '../object-texts.ts';

const KEYS = fc.constantFrom('"a"', '"b"', '"\\u0061"', '""', '"__proto__"', '"é"', '"c,}"');
const objects = fc.tuple(fc.array(memberTexts(KEYS), { maxLength: 5 }), spaces);

function edited(json: string, edits: (frame: Frame) => Edit[]): Buffer {
  const frame = Frame.of(Buffer.from(json));
  return toBuffer(frame.splice(edits(frame)));
}

test('members that are taken out leave the others as they are, in their order', () => {
  fc.assert(
    fc.property(objects, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), ([members, inside], isRemoved) => {
      const json = oneLine(objectText(members, inside));
      const result = edited(json, ({ outline }) =>
        membersRemoved(outline.members, (member) => isRemoved[outline.members.indexOf(member)]!),
      );
      expect(memberSlices(result)).toEqual(memberSlices(Buffer.from(json)).filter((_, index) => !isRemoved[index]));
      expect(() => JSON.parse(result.toString())).not.toThrow();
      if (!isRemoved.slice(0, members.length).includes(true)) expect(result.toString()).toBe(json);
    }),
    { numRuns: 300 },
  );
});

test('a member that is added stands in front of the others, which stay as they are', () => {
  fc.assert(
    fc.property(objects, fc.constantFrom('"new":1', '"new":{"x":[]},"more":null'), ([members, inside], added) => {
      const json = oneLine(objectText(members, inside));
      const result = edited(json, ({ outline }) => [memberAdded(outline, outline.members, added)]).toString();
      expect(() => JSON.parse(result)).not.toThrow();
      const comma = members.length === 0 ? '' : ',';
      expect(result).toBe(`{${added}${comma}${json.slice(1)}`);
    }),
    { numRuns: 300 },
  );
});
