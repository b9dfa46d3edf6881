// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { expand } from '../../../src/config/expand.ts';

const ENV = { NAME: 'value', EMPTY: '', DOLLARS: '${NAME}' };

describe('expand', () => {
  test.each([
    ['a variable', '${NAME}', 'value'],
    ['inside text', 'a-${NAME}-b', 'a-value-b'],
    ['several', '${NAME}${NAME}', 'valuevalue'],
    ['a default that is not needed', '${NAME:-other}', 'value'],
    ['a default for an unset variable', '${NOPE:-other}', 'other'],
    ['a default for an empty variable', '${EMPTY:-other}', 'other'],
    ['an empty default', '${NOPE:-}', ''],
    ['an empty variable', '[${EMPTY}]', '[]'],
    ['a default with odd characters', '${NOPE:-a b:-$c/{d}', 'a b:-$c/{d'],
    ['a default over several lines', '${NOPE:-a\nb}', 'a\nb'],
    ['an escape', '$${NAME}', '${NAME}'],
    ['an escape before a reference', '$${${NAME}', '${value'],
    ['a $ alone', '$NAME $ $$ $5', '$NAME $ $$ $5'],
    ['a $ before a reference with an escape', '$$${NAME}', '$${NAME}'],
    ['braces alone', '{NAME} }{', '{NAME} }{'],
    ['a value is not expanded again', '${DOLLARS}', '${NAME}'],
  ])('%s', (_name, text, expected) => {
    expect(expand(text, ENV)).toMatchObject({ text: expected, unset: [], malformed: [] });
  });

  test('tells which variables were used, with their values', () => {
    expect(expand('${NAME} ${NOPE:-x} ${EMPTY}', ENV).used).toEqual([
      { name: 'NAME', value: 'value' },
      { name: 'EMPTY', value: '' },
    ]);
  });

  test('what is not set stays, and is told once', () => {
    expect(expand('${NOPE} ${NADA} ${NOPE}', ENV)).toMatchObject({
      text: '${NOPE} ${NADA} ${NOPE}',
      unset: ['NOPE', 'NADA'],
      used: [],
    });
  });

  test.each(['${}', '${ NAME }', '${1A}', '${A-b}', '${NAME:?error}', '${env:NAME}', '${NAME', 'x ${'])(
    '%s is no reference',
    (text) => {
      expect(expand(text, ENV)).toMatchObject({
        text,
        unset: [],
        malformed: [text.slice(text.indexOf('$'))].map(opening),
      });
    },
  );

  test('a reference in a reference is not understood', () => {
    expect(expand('${NOPE:-${NAME}}', ENV)).toMatchObject({ malformed: ['${'], text: '${NOPE:-value}' });
  });

  test('names that every object has are not set', () => {
    expect(expand('${constructor} ${toString} ${__proto__}', ENV).unset).toEqual([
      'constructor',
      'toString',
      '__proto__',
    ]);
  });

  test('very many references that do not end', () => {
    expect(expand('${'.repeat(300_000), ENV).malformed).toEqual(['${']);
  });
});

/** Of a reference without its end only the beginning is told. */
const opening = (reference: string): string => (reference.endsWith('}') ? reference : '${');
