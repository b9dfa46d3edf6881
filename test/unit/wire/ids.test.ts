import { describe, expect, test, vi } from 'vitest';
import { echoedId, firstId, idKey, isRequestId, ownId } from '../../../src/wire/ids.ts';

describe('isRequestId', () => {
  test.each(['0', '-1', '7', '-0', '9007199254740993', '-9007199254740991', '"a"', '""', '"\\u0000"', '"1.5"'])(
    '%s may be an id',
    (token) => expect(isRequestId(token)).toBe(true),
  );

  test.each(['null', 'true', 'false', '1.0', '1.5', '1e3', '-1E2', '{}', '[1]', '[]'])('%s may not', (token) =>
    expect(isRequestId(token)).toBe(false),
  );
});

describe('idKey', () => {
  test.each([
    ['"a"', '"\\u0061"'],
    ['"\xc3\xa9"', '"\\u00e9"'],
    ['"\\n"', '"\\u000a"'],
    ['"/"', '"\\/"'],
    ['"\\""', '"\\u0022"'],
  ])('%s and %s are one id', (one, other) => expect(idKey(one)).toBe(idKey(other)));

  test.each([
    ['1', '"1"'],
    ['"a"', '"A"'],
    ['""', '0'],
    ['9007199254740992', '9007199254740993'],
    ['"\\\\u0061"', '"a"'],
    ['"\\ud800"', '"\\ud801"'],
  ])('%s and %s are two', (one, other) => expect(idKey(one)).not.toBe(idKey(other)));

  test('a long string id with a bad escape at its far end, which a scan lets pass, has a key like any other', () => {
    const token = `"${'x'.repeat(5_000)}\\x"`;
    expect(idKey(token)).toBe(idKey(token));
    expect(idKey(token)).not.toBe(idKey(token.replace('x\\x', '\\x')));
  });
});

describe('ownId', () => {
  test.each([
    ['1', 1],
    ['2147483647', 2_147_483_647],
    ['"12"', 12],
    ['-5', -5],
    ['1234567890123456', 1_234_567_890_123_456],
    ['12345678901234567', undefined],
    ['"x"', undefined],
    ['""', undefined],
    ['null', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['" 1"', undefined],
    ['"0x1"', undefined],
    ['"01"', undefined],
    ['"1\\u0032"', undefined],
    ['[1]', undefined],
  ])('%s is our %s', (token, id) => expect(ownId(token)).toBe(id));
});

describe('echoedId', () => {
  test.each([
    ['11', 11],
    ['"11"', 11],
    ['11.0', 11],
    ['"11.0"', 11],
    ['1.1e1', 11],
    ['1E3', 1000],
    ['1.5', undefined],
    ['-0', undefined],
    ['1e400', undefined],
    ['1.', undefined],
    ['01.0', undefined],
    ['"x"', undefined],
    ['null', undefined],
    ['"0x1"', undefined],
    ['12345678901234567', undefined],
  ])('%s of an upstream is our %s', (token, id) => expect(echoedId(token)).toBe(id));
});

test.each([
  [0, 1],
  [0.5, 536_870_913],
  [1 - Number.EPSILON, 1_073_741_824],
])('a first id leaves a 32-bit reader room, and is a positive integer (random %d)', (random, id) => {
  expect(firstId((limit) => Math.floor(random * limit))).toBe(id);
});

test('a first id is cryptographically random', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const ids = new Set(Array.from({ length: 100 }, () => firstId()));
  expect(random).not.toHaveBeenCalled();
  random.mockRestore();
  expect(ids.size).toBeGreaterThan(90);
  for (const id of ids) expect(id >= 1 && id <= 2 ** 30).toBe(true);
});
