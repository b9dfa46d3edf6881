import fc from 'fast-check';

/** How many edits a round-trip property makes: 200 in `npm test`, 10,000 with `VIADUCT_EDITS=10000`. */
export const EDIT_RUNS = Number(process.env.VIADUCT_EDITS ?? 200);

export const lineEnd = fc.constantFrom('\n', '\r\n');
export const byteOrderMark = fc.constantFrom('', '', '', '\uFEFF');

/** One edit of another program: what it writes, and where, from 0 for the first place to 1 for the last one. */
export interface ForeignEdit<Kind extends string> {
  readonly where: number;
  readonly kind: Kind;
}

export function foreignEdits<Kind extends string>(...kinds: readonly Kind[]): fc.Arbitrary<ForeignEdit<Kind>[]> {
  const where = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.array(fc.record({ where, kind: fc.constantFrom(...kinds) }), { maxLength: 6 });
}

/** The place of an edit among all places. */
export function placeOf<T>(places: readonly T[], { where }: ForeignEdit<string>): T | undefined {
  return places[Math.min(places.length - 1, Math.floor(where * places.length))];
}

/** Fails where a line of a text with CRLF ends with LF alone. */
export function hasLineEnds(text: string, eol: string): boolean {
  return eol === '\n' ? !text.includes('\r') : !text.replaceAll('\r\n', '').includes('\n');
}

/** A name that no other edit has. */
export function freshName(): string {
  return `foreign${++names}`;
}
let names = 0;
