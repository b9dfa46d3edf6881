// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { issuesOf, parse } from '../parse-text.ts';

describe('text that is no YAML', () => {
  test.each([
    [
      'a tab',
      'upstreams:\n\ta: 1',
      '2:1 a tab indents this line -> YAML allows only spaces here: replace the tab by spaces',
    ],
    ['a * alone', 'a: [*]', "1:5 a * begins an alias -> a text that begins with * must be quoted: '*'"],
    [
      'a reserved character',
      'a: @x',
      '1:4 plain value cannot start with reserved character @ -> put the value in quotes',
    ],
    [
      'two colons',
      'a: b: c',
      '1:4 a second key in the same place -> put a value that contains ": " in quotes, or correct the indentation',
    ],
    [
      'no colon',
      'server\nlog: {}',
      '1:1 a key without its ":" -> is a ":" missing at the end of a line, or is the indentation wrong?',
    ],
    [
      'wrong indentation',
      'a:\n  b: 1\n c: 2',
      '3:1 all mapping items must start at the same column -> correct the indentation, or close the bracket or brace that was opened before',
    ],
    [
      'an open bracket',
      'a: [1\nb: 2',
      '2:1 flow sequence in block collection must be sufficiently indented and end with a ] -> correct the indentation, or close the bracket or brace that was opened before',
    ],
    [
      'an open brace',
      '{"a": 1',
      '1:8 flow map must end with a } -> a quote, bracket or brace that was opened earlier is not closed',
    ],
    [
      'a brace too many',
      '{"a": 1}}',
      '1:9 this does not belong here -> is a quote, a bracket or a brace before it missing, or one too many?',
    ],
    [
      'an open quote',
      'a: "x',
      '1:6 missing closing "quote -> a quote, bracket or brace that was opened earlier is not closed',
    ],
    [
      'a variable without quotes in braces',
      'a: { b: ${C}, d: 1 }',
      '1:9 a "${…}" inside braces or brackets must be in quotes -> such as { TOKEN: "${TOKEN}" }',
    ],
    [
      'an item among keys',
      'a: 1\n- b',
      '2:1 a key without its ":" -> is a ":" missing at the end of a line, or is the indentation wrong?',
    ],
    ['a list as a key', '? [a]\n: 1', '1:3 a key must be plain text, not a list, a mapping or an alias'],
    ['an alias as a key', 'a: &a x\n*a : 1', '2:1 a key must be plain text, not a list, a mapping or an alias'],
    [
      'a second document',
      'schemaVersion: 1\n---\na: 1',
      '2:1 a second document begins here -> a config is one document: remove the "---"',
    ],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });

  test('what follows from a mistake is not told', () => {
    expect(issuesOf('a: { b: ${C} }\nd: 1\ne: 2\n')).toHaveLength(1);
  });

  test('several mistakes are', () => {
    expect(issuesOf('a:\n\tb: 1\nc: @x').map((issue) => issue.slice(0, 4))).toEqual(['2:1 ', '3:4 ']);
  });
});

describe('text that says nothing', () => {
  const EMPTY = /^1:1 the file is empty -> a config that works:\n {2}schemaVersion: 1\n/;

  test.each([
    ['nothing', ''],
    ['a byte order mark', '\uFEFF'],
    ['comments', '# one\n\n# two\n'],
    ['a document marker', '---\n'],
    ['null', 'null'],
  ])('%s', (_name, text) => {
    expect(issuesOf(text)).toEqual([expect.stringMatching(EMPTY)]);
  });

  test('the config that is shown instead works', () => {
    const example = issuesOf('')[0]?.split('works:\n')[1] ?? '';
    expect(parse(example).upstreams).toMatchObject([{ key: 'everything', command: 'npx' }]);
  });

  test('a NUL', () => {
    expect(issuesOf('a: 1\nb: \0')).toEqual(['2:4 a NUL character -> is this a text file? Save it as UTF-8']);
  });
});

describe('what YAML allows and a config does not', () => {
  test.each([
    ['a tag of someone', 'a: !foo x', '1:4 tags (!…) are not supported -> remove it'],
    ['a tag that runs code elsewhere', 'a: !!js/function x', '1:4 tags (!…) are not supported -> remove it'],
    ['a tag of YAML 1.1', 'a: !!binary aGk=', '1:4 tags (!…) are not supported -> remove it'],
    ['a tag of another kind', 'a: !!int [1]', '1:4 tags (!…) are not supported -> remove it'],
    [
      'an alias to nothing',
      'a: *foo',
      "1:4 a: the alias *foo has no anchor before it -> a text that begins with * must be quoted: '*foo'",
    ],
    [
      'an alias before its anchor',
      'a: *x\nb: &x 1',
      "1:4 a: the alias *x has no anchor before it -> a text that begins with * must be quoted: '*x'",
    ],
    ['an alias in itself', 'a: &a [*a]', '1:8 a[0]: the alias *a contains itself'],
    [
      'two aliases in each other',
      'a: &a [&b [*a, *b]]',
      '1:12 a[0][0]: the alias *a contains itself',
      '1:16 a[0][1]: the alias *b contains itself',
    ],
    [
      'another version of YAML',
      '%YAML 1.1\n---\nschemaVersion: 1',
      '1:1 a config is read as YAML 1.2 -> remove the line; note that yes, no, on and off are texts in YAML 1.2',
    ],
    [
      'a version that there is not',
      '%YAML 1.7\n---\nschemaVersion: 1',
      '1:7 unsupported YAML version 1.7 -> remove the line: directives (%…) are not needed',
    ],
  ])('%s', (_name, text, ...expected) => {
    expect(issuesOf(text)).toEqual(expected);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('the key %s, wherever it is', (key) => {
    const text = `schemaVersion: 1\n${key}: 1\nupstreams:\n  ${key}: { command: x }\n  a: { command: x, env: { ${key}: x } }`;
    expect(issuesOf(text)).toEqual([
      `2:1 ${key}: this key is never allowed`,
      `4:3 upstreams.${key}: this key is never allowed`,
      `5:27 upstreams.a.env.${key}: this key is never allowed`,
    ]);
    expect(Object.hasOwn(Object.prototype, 'command')).toBe(false);
  });

  test('a key in another spelling is the same key', () => {
    expect(issuesOf('schemaVersion: 1\n"__\\x70roto__": 1')).toEqual(['2:1 __proto__: this key is never allowed']);
  });

  test('a key that occurs twice, near and far', () => {
    const text = 'schemaVersion: 1\nlog: {}\nupstreams:\n  a: { command: x, "command": y }\n"log": {}';
    expect(issuesOf(text)).toEqual([
      '4:20 upstreams.a.command: this key occurs twice -> keep one of them',
      '5:1 log: this key occurs twice -> keep one of them',
    ]);
  });

  test('a merge key', () => {
    const text = 'schemaVersion: 1\nupstreams:\n  a: &a { command: x }\n  b: { <<: *a, command: y }';
    expect(issuesOf(text)).toEqual([
      '4:8 upstreams.b["<<"]: merge keys (<<) are not supported -> write the keys out, or use an alias for a whole value',
    ]);
  });
});

describe('text that is meant to hurt', () => {
  test('billion laughs', () => {
    const levels = Array.from(
      'bcdefghijk',
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(', ')}]`,
    );
    const text = ['a: &a [x, x, x, x, x, x, x, x, x]', ...levels].join('\n');
    expect(issuesOf(text)).toEqual(['5:8 e[0]: aliases up to here stand for more than 10000 values']);
  });

  test('very many aliases', () => {
    expect(issuesOf(`a: &a 1\nb: [${'*a, '.repeat(20_000)}]`)).toEqual([
      '2:40005 b[10000]: aliases up to here stand for more than 10000 values',
    ]);
  });

  test('a few aliases of a large value are fine', () => {
    const text = `schemaVersion: 1\nupstreams:\n  a: { command: x, args: &args [${'x, '.repeat(2000)}] }\n`;
    const more = Array.from('bcde', (key) => `  ${key}: { command: x, args: *args }\n`).join('');
    expect(parse(text + more).upstreams.at(-1)?.args).toHaveLength(2000);
  });

  test.each([
    ['lists', '[', ']', 100],
    ['lists', '[', ']', 700],
    ['lists', '[', ']', 20_000],
    ['mappings', '{a: ', '}', 700],
    ['mappings', '{a: ', '}', 20_000],
    ['items', '- ', '', 700],
    ['items', '- ', '', 20_000],
  ])('%s nested: %s%s %d times', (_name, open, close, times) => {
    const [issue, ...others] = issuesOf(`${open.repeat(times)}x${close.repeat(times)}`);
    expect(issue).toMatch(/^1:\d+ nested too deeply$/);
    expect(others).toEqual([]);
  });

  test('very many unknown keys', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(issuesOf(text)).toHaveLength(20_001);
  });

  test('a very long key', () => {
    const [issue] = issuesOf(`schemaVersion: 1\n? ${'k'.repeat(500_000)}\n: 1`);
    expect(issue).toMatch(/^2:3 \["k{59}…"\]: unknown key -> known keys: /);
  });
});
