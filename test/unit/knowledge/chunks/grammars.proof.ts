import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { chunkFile, grammars } from '../../../../src/knowledge/chunks/chunk-file.ts';
import { grammarFile } from '../../../../src/knowledge/chunks/grammar-files.ts';
import { Grammars } from '../../../../src/knowledge/chunks/grammars.ts';
import { LANGUAGES } from '../../../../src/knowledge/chunks/roles.ts';
import { realFolder, write } from '../../../support/git-repository.ts';

const SOURCE = 'function work() {\n  return 1;\n}\n';
const BLOCK = { kind: 'block', startLine: 1, endLine: 3, symbol: '' };

describe('a grammar that cannot be used costs the structure of a file only', () => {
  it('when its file is missing', async () => {
    const using = new Grammars(() => '/nowhere/grammar.wasm');
    expect(await chunkFile('a.js', SOURCE, using)).toMatchObject([BLOCK]);
    expect(using.faults.get('javascript')?.[0]).toContain('/nowhere/grammar.wasm');
  });

  it('when its file is broken', async () => {
    const file = write(realFolder(), 'grammar.wasm', 'no grammar');
    const using = new Grammars(() => file);
    expect(await chunkFile('a.js', SOURCE, using)).toMatchObject([BLOCK]);
    expect([...using.faults.keys()]).toEqual(['javascript']);
  });

  it('when it throws: it is tried three times', async () => {
    const using = new Grammars();
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new Error('unreachable');
    };
    for (let file = 0; file < 5; file++) expect(await using.parse('javascript', SOURCE, fail)).toBeUndefined();
    expect(tries).toBe(3);
    expect(using.faults.get('javascript')).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(await using.parse('python', 'a = 1\n', () => 'parsed')).toBe('parsed');
  });
});

/** In lines of a hundred characters: longer ones are not parsed. */
const wrapped = (text: string): string => text.replaceAll(/.{100}/g, '$&\n');

describe('texts that are made to take long', () => {
  it.each([
    ['a.js', wrapped('['.repeat(100_000) + ']'.repeat(100_000))],
    ['a.ts', wrapped('('.repeat(100_000))],
    ['a.cpp', wrapped('a<'.repeat(20_000))],
    ['a.py', wrapped('('.repeat(100_000))],
    ['a.py', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}if x:`).join('\n')],
    ['a.cs', wrapped('(<'.repeat(20_000))],
    ['a.kt', wrapped('({'.repeat(20_000))],
    ['a.swift', wrapped('{('.repeat(20_000))],
    ['a.sh', wrapped('$('.repeat(20_000))],
    ['a.rs', 'mod a {\n'.repeat(2_000)],
    ['a.ts', 'class A { b() {\n'.repeat(2_000)],
    ['a.js', `var a = [${'1,'.repeat(300_000)}];`],
  ])('are cut all the same: %s, %#', async (file, text) => {
    const chunks = await chunkFile(file, text);
    const length = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
    expect(length).toBeGreaterThanOrEqual(text.replaceAll(/\s/g, '').length);
    expect(grammars.faults).toEqual(new Map());
    // The parser goes on as if nothing had been.
    expect(await chunkFile(file.replace(/.*\./, 'next.'), 'x\n')).toHaveLength(1);
  });
});

describe('memory', () => {
  it('does not grow over 10,000 files', async () => {
    const text = `${SOURCE.repeat(20)}class A {\n  b() { return [1, 2, 3]; }\n}\n`;
    const words = ['--expose-gc', '--import', 'tsx', path.resolve('test/support/knowledge/chunk-memory.ts'), text];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    // Trees that are kept take 200 MiB.
    expect(Number(stdout)).toBeLessThan(30 * 1024 * 1024);
  });
});

describe('the file of a grammar', () => {
  const FILES = ['dist/some.js', 'dist/chunks/some.js', 'dist/knowledge/chunks/some.js'];
  const inDist = FILES.map((file) => pathToFileURL(path.resolve(file)).href);

  it.each(LANGUAGES)('is in the build, and in the packages: %s', (language) => {
    for (const from of inDist) expect(grammarFile(language, from)).toContain(path.join('dist', 'grammars'));
    expect(grammarFile(language)).toContain('node_modules');
  });
});
