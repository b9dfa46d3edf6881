import { describe, expect, it } from 'vitest';
import { chunkFile } from '../../../../src/knowledge/chunks/chunk-file.ts';

const statements = (count: number, indent: string): string =>
  Array.from({ length: count }, (_, at) => `${indent}step(${at});`).join('\n');

const shown = async (file: string, text: string) =>
  (await chunkFile(file, text)).map(({ kind, symbol, startLine, endLine, defines }) => ({
    chunk: `${kind} ${symbol} ${startLine}-${endLine}`,
    defines: defines.join(' '),
  }));

describe('what becomes a chunk', () => {
  it('a function with its comment; what is between; the names of values in that', async () => {
    const text =
      "import a from 'a';\nconst one = 1;\n\n/** Does it. */\nfunction work() {\n  a();\n}\n\nlet two = 2;\n";
    expect(await shown('a.ts', text)).toEqual([
      { chunk: 'block  1-2', defines: 'one' },
      { chunk: 'function work 4-7', defines: 'work' },
      { chunk: 'block  9-9', defines: 'two' },
    ]);
  });

  it('a small class as a whole, that defines its members', async () => {
    const text = 'class Shop {\n  size = 0;\n  open() {\n    return 1;\n  }\n}\n';
    expect(await shown('a.ts', text)).toEqual([{ chunk: 'class Shop 1-6', defines: 'Shop size open' }]);
  });

  it('the outline of a large class, and each of its methods', async () => {
    const method = (name: string) => `  /** About ${name}. */\n  ${name}() {\n${statements(30, '    ')}\n  }\n`;
    const text = `class Shop {\n  size = 0;\n\n${method('open')}\n${method('close')}}\n`;
    const chunks = await chunkFile('a.ts', text);
    expect(chunks.map(({ kind, symbol, startLine, endLine }) => `${kind} ${symbol} ${startLine}-${endLine}`)).toEqual([
      'class Shop 1-71',
      'method Shop.open 4-36',
      'method Shop.close 38-70',
    ]);
    expect(chunks[0]!.text).toBe('class Shop {\n  size = 0;\n⋮\n  open() {\n⋮\n  close() {\n⋮\n}');
    expect(chunks[0]!.defines).toEqual(['Shop', 'size']);
    expect(chunks[1]!.text).toContain('/** About open. */');
  });

  it('parts of a large function, cut where statements begin; the first defines it', async () => {
    const text = `function work() {\n${statements(50, '  ')}\n  if (x) {\n${statements(40, '    ')}\n  }\n}\n`;
    const chunks = await chunkFile('a.js', text);
    expect(chunks.map(({ kind, symbol, startLine }) => `${kind} ${symbol} ${startLine}`)).toEqual([
      'function work 1',
      'function work 61',
    ]);
    expect(chunks.map(({ defines }) => defines)).toEqual([['work'], []]);
  });

  it('a statement of several lines is kept in one', async () => {
    const call = `  call(\n${statements(9, '    ').replaceAll(';', ',')}\n  );`;
    const chunks = await chunkFile(
      'a.js',
      `function work() {\n${Array.from({ length: 20 }, () => call).join('\n')}\n}\n`,
    );
    expect(chunks.slice(1).every(({ text }) => text.startsWith('  call('))).toBe(true);
  });

  it('functions in a large function, or in a call around a whole module', async () => {
    const inner = `  function inner() {\n${statements(30, '    ')}\n  }\n`;
    const large = `function outer() {\n${inner}${statements(40, '  ')}\n}\n`;
    expect(await shown('a.js', large)).toContainEqual({ chunk: 'function outer.inner 2-33', defines: 'inner' });
    const module = `define(['a'], function (a) {\n${inner}${statements(40, '  ')}\n});\n`;
    expect(await shown('b.js', module)).toContainEqual({ chunk: 'function inner 2-33', defines: 'inner' });
  });

  it('methods in a large object', async () => {
    const text = `const handlers = {\n  open() {\n${statements(35, '    ')}\n  },\n  close: () => {\n${statements(35, '    ')}\n  },\n};\n`;
    const chunks = (await shown('a.ts', text)).map(({ chunk }) => chunk);
    expect(chunks).toContain('function handlers.open 2-38');
    expect(chunks).toContain('function handlers.close 39-75');
  });

  it('sections of Markdown by their headings, but not by what is in code', async () => {
    const text = 'intro\n\n# Guide\n\ntext\n\n```sh\n# comment\n```\n\n### Deep\n\nmore\n\n## Next ##\n\nend\n';
    expect(await shown('a.md', text)).toEqual([
      { chunk: 'section  1-1', defines: '' },
      { chunk: 'section Guide 3-9', defines: 'Guide' },
      { chunk: 'section Guide > Deep 11-13', defines: 'Deep' },
      { chunk: 'section Guide > Next ## 15-17', defines: 'Next ##' },
    ]);
  });

  it('blocks of other texts, cut at blank lines', async () => {
    const paragraph = `${'line\n'.repeat(25)}\n`;
    const chunks = await chunkFile('notes.txt', paragraph.repeat(4));
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 51],
      [53, 103],
    ]);
  });

  it('nothing of an empty or blank file', async () => {
    for (const text of ['', '\n', ' \r\n\t\n', '\uFEFF']) expect(await chunkFile('a.ts', text)).toEqual([]);
  });
});

describe('the language of a file', () => {
  it.each([
    ['run', '#!/usr/bin/env python3\ndef work():\n    pass\n', 'function work'],
    ['run', '#!/bin/sh\nwork() {\n  ls\n}\n', 'function work'],
    ['a.h', 'class Shop {\n public:\n  int size;\n};\n', 'class Shop'],
    ['a.h', 'struct shop { int size; };\n', 'class shop'],
    ['Rakefile', 'def work\nend\n', 'function work'],
    ['A.PY', 'def work():\n    pass\n', 'function work'],
    ['a.unknown', 'def work():\n    pass\n', 'block '],
  ])('%s', async (file, text, expected) => {
    expect((await chunkFile(file, text)).map(({ kind, symbol }) => `${kind} ${symbol}`)).toContain(expected);
  });
});
