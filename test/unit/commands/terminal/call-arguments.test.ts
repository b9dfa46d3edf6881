import { describe, expect, test } from 'vitest';
import { readCallArguments } from '../../../../src/commands/terminal/call-arguments.ts';
import { UsageError } from '../../../../src/commands/terminal/usage-error.ts';

const SCHEMA = { properties: { id: { type: 'integer' }, name: { type: 'string' }, list: { type: 'array' } } };

describe('arguments of a call', () => {
  test.each([['12345678901234567890'], ['-9007199254740993'], ['1.0'], ['-0'], ['1e400'], ['0.1234567890123456789']])(
    'are sent with the number %s as it is written',
    (number) => {
      expect(readCallArguments(undefined, [`id=${number}`], SCHEMA)).toBe(`{"id":${number}}`);
      expect(readCallArguments(undefined, [`unknown=${number}`], SCHEMA)).toBe(`{"unknown":${number}}`);
      expect(readCallArguments(`{ "list": [ ${number} ] }`, ['name=7'], SCHEMA)).toBe(
        `{"list":[${number}],"name":"7"}`,
      );
    },
  );

  test('are a text where the schema says so, and where it says nothing and the word is no JSON', () => {
    expect(readCallArguments(undefined, ['name=12345678901234567890', 'other=a b'], SCHEMA)).toBe(
      '{"name":"12345678901234567890","other":"a b"}',
    );
  });

  test('come from the last word with a key, and from --args only where no word has it', () => {
    expect(readCallArguments('{"id":1,"a":{"id":2},"id":3}', ['id=4', 'id=5'], SCHEMA)).toBe('{"a":{"id":2},"id":5}');
  });

  test('are those of --args as they are, on one line, without words', () => {
    expect(readCallArguments('{\n "id": 1,\n "id": 2 }', [], SCHEMA)).toBe('{"id":1,"id":2}');
    expect(readCallArguments(undefined, [], SCHEMA)).toBe('{}');
  });

  test.each([
    ['[1]', [], '--args must be a JSON object'],
    ['{', [], '--args is not JSON'],
    [undefined, ['id'], '"id" is not key=value'],
    [undefined, ['id=x'], 'the value of "id" (integer) is not JSON'],
  ])('are refused with words: %s %j', (json, words, said) => {
    expect(() => readCallArguments(json, words, SCHEMA)).toThrow(UsageError);
    expect(() => readCallArguments(json, words, SCHEMA)).toThrow(said);
  });

  test('may have a key that objects inherit', () => {
    expect(readCallArguments(undefined, ['__proto__=1'], SCHEMA)).toBe('{"__proto__":1}');
  });
});
