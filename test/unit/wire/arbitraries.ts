import fc from 'fast-check';

/** Characters of strings, as JSON text: plain, escaped in every way, and those that trip over other readers. */
const characters = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0000', '\\u00E9', '\\uD83D\\ude00'),
  fc.constantFrom(
    '\\ud800',
    '\\uDFFF',
    '\u2028',
    '\u2029',
    '\u007f',
    '\ufeff',
    'é',
    '😀',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
  ),
);
const stringTokens = fc.array(characters, { maxLength: 5 }).map((parts) => `"${parts.join('')}"`);

/** Where an object has had it as its key, JSON.parse of Node.js 24 takes others that are one escape for it. */
const LONE_BACKSLASH = JSON.stringify('\\');

const digits = fc.stringMatching(/^[0-9]{1,3}$/);
const optional = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text);
const numberTokens = fc.oneof(
  fc.constantFrom('0', '-0', '9007199254740993', '-1e400', '1E+05', '7'.repeat(400), '0.1e-7'),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^(0|[1-9][0-9]{0,3})$/),
      optional(digits.map((fraction) => `.${fraction}`)),
      optional(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits).map((parts) => parts.join(''))),
    )
    .map((parts) => parts.join('')),
);

/** Few names, spelt in several ways, so that members meet others of their name. */
const keyTokens = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('"a"', '"\\u0061"', '"id"', '"i\\u0064"', '"method"', '"arguments"') },
  { weight: 2, arbitrary: fc.constantFrom('""', '"__proto__"', '"constructor"', '"é"', '"\\u00e9"', '"\\ud800"') },
  { weight: 1, arbitrary: stringTokens.filter((token) => token !== LONE_BACKSLASH) },
);

function texts(blanks: readonly string[]): fc.Arbitrary<string> {
  const space = fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...blanks), maxLength: 3 }) },
  );
  const spaced = (token: fc.Arbitrary<string>) => fc.tuple(space, token, space).map((parts) => parts.join(''));
  return fc.letrec<{ value: string }>((tie) => {
    const value = spaced(tie('value'));
    const member = fc.tuple(spaced(keyTokens), value).map(([key, text]) => `${key}:${text}`);
    const list = (part: fc.Arbitrary<string>) =>
      fc.oneof(
        space,
        fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(',')),
      );
    return {
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.oneof(fc.constantFrom('true', 'false', 'null'), numberTokens, stringTokens),
        list(member).map((members) => `{${members}}`),
        list(value).map((elements) => `[${elements}]`),
      ),
    };
  }).value;
}

/** JSON texts in every spelling: white space, escapes, numbers, members of one name. */
export const jsonTexts = texts([' ', '\t', '\r', '\n']);

/** The same, on one line. */
export const jsonLines = texts([' ', '\t', '\r']);

/** What a JSON text, or a part of one, is in a frame: on one line. Inside of strings line breaks are escaped anyway. */
export const oneLine = (json: string): string => json.replaceAll(/[\r\n]/g, ' ');

interface Mutation {
  readonly kind: 'flip' | 'put' | 'insert' | 'remove' | 'end';
  readonly at: number;
  readonly byte: number;
}

const hostileBytes = fc.constantFrom(
  ...Buffer.from('00090d1f20222c2d2e303a5b5c5d65757b7d7f', 'hex'),
  ...Buffer.from('80a0bbbfc3edeff0ff', 'hex'),
);

const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'put', 'insert', 'remove', 'end'),
  at: fc.nat({ max: 400 }),
  byte: hostileBytes,
});

function mutated(bytes: Buffer, { kind, at, byte }: Mutation): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const [before, here, after] = [bytes.subarray(0, place), bytes.subarray(place, place + 1), bytes.subarray(place + 1)];
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, here.map((old) => old ^ (1 << (byte % 8))), after]);
    case 'put':
      return Buffer.concat([before, Buffer.of(byte), after]);
    case 'insert':
      return Buffer.concat([before, Buffer.of(byte), here, after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'end':
      return before;
  }
}

const damaged = (whole: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(whole, fc.array(mutations, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => changes.reduce(mutated, Buffer.from(text)));

const WORDS = '{ } [ ] , : " "a" "a": \\ \\u 0 1 - . e + true nul null fals NaN Infinity \' /* //'.split(' ');

const crumbs = fc
  .array(fc.constantFrom(...WORDS, ' ', '\n', '\0', '\ufeff', '\u00a0', '\u2028', '\v', '\f'), { maxLength: 10 })
  .map((parts) => Buffer.from(parts.join('')));

/** Bytes that are JSON, or nearly so. */
export const nearlyJson: fc.Arbitrary<Buffer> = fc.oneof(
  jsonTexts.map((text) => Buffer.from(text)),
  damaged(jsonTexts),
  crumbs,
);

/** Lines, without their newline, that are JSON, or nearly so. */
export const nearlyJsonLines: fc.Arbitrary<Buffer> = fc
  .oneof(
    { weight: 3, arbitrary: jsonLines.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: damaged(jsonLines) },
    { weight: 1, arbitrary: crumbs },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\r'), maxLength: 4 }).map((text) => Buffer.from(text)),
    },
  )
  .map((line) => Buffer.from(line.filter((byte) => byte !== 0x0a)));

/** Places where bytes are cut, in any order; `'everywhere'` is byte by byte. */
export type Cuts = readonly number[] | 'everywhere';

export const cuts: fc.Arbitrary<Cuts> = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.nat({ max: 1_000 }), { maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constant('everywhere' as const) },
);

/** The bytes in pieces, some of which may be empty. */
export function cut(bytes: Buffer, places: Cuts): Buffer[] {
  const all = places === 'everywhere' ? [...bytes.keys()] : places.map((place) => place % (bytes.length + 1));
  const bounds = [0, ...all.sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index]!, end));
}
