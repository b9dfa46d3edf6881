import fc from 'fast-check';
import { membersOf } from '../../../src/wire/lens.ts';
import type { Span } from '../../../src/wire/scanning/outline.ts';
import { jsonTexts } from './arbitraries.ts';

/** White space, mostly none. */
export const spaces = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 2 }) },
);

/** A member of an object as text, white space on either side of its three parts. */
export function memberTexts(keys: fc.Arbitrary<string>, values: fc.Arbitrary<string> = jsonTexts) {
  return fc
    .tuple(spaces, keys, spaces, values, spaces)
    .map(([before, key, behind, value, after]) => `${before}${key}${behind}:${value}${after}`);
}

export const objectText = (members: readonly string[], inside = ''): string =>
  members.length === 0 ? `{${inside}}` : `{${members.join(',')}}`;

/** Each member of an object as it stands there, from its key to the end of its value. */
export function memberSlices(text: Buffer, object?: Span): string[] {
  return membersOf(text, object).map(({ keyStart, end }) => text.toString('utf8', keyStart, end));
}
