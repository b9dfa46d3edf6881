import { expect, test } from 'vitest';
import { LISTED_LANGUAGES, languageOf } from '../../../src/workspace/languages.ts';

const DETECTED: Readonly<Record<string, readonly string[]>> = {
  typescript: ['a.ts', 'a.tsx'],
  javascript: ['a.js', 'a.jsx'],
  go: ['a.go'],
  python: ['a.py'],
  rust: ['a.rs'],
  ruby: ['a.rb'],
  java: ['a.java'],
  php: ['a.php'],
  c: ['a.c', 'a.h'],
  cpp: ['a.cpp', 'a.hpp', 'a.cc', 'a.cxx'],
  csharp: ['a.cs'],
  html: ['a.html', 'a.htm'],
  css: ['a.css'],
  scss: ['a.scss'],
  json: ['a.json'],
  yaml: ['a.yaml', 'a.yml'],
  xml: ['a.xml'],
  markdown: ['a.md', 'a.markdown'],
  sql: ['a.sql'],
  shell: ['a.sh', 'a.bash'],
  swift: ['a.swift'],
  kotlin: ['a.kt', 'a.kts'],
  dockerfile: ['Dockerfile'],
  plaintext: ['a.txt'],
};

test('24 languages are told by the names of files', () => {
  expect(Object.keys(DETECTED)).toHaveLength(24);
  for (const [language, files] of Object.entries(DETECTED)) {
    for (const file of files) expect([file, languageOf(file)]).toEqual([file, language]);
  }
});

test.each([
  ['src/deep/a.test.ts', 'typescript'],
  ['/abs/Dockerfile', 'dockerfile'],
  ['C:\\work\\Dockerfile', 'dockerfile'],
  ['C:\\work\\a.d\\b.GO', 'go'],
  ['README.MD', 'markdown'],
  ['a.Js', 'javascript'],
  ['.bash', 'shell'],
  ['dockerfile', 'plaintext'],
  ['Dockerfile.dev', 'plaintext'],
  ['a.ts.bak', 'plaintext'],
  ['src.ts/file', 'plaintext'],
  ['Makefile', 'plaintext'],
  ['a.', 'plaintext'],
  ['', 'plaintext'],
  ['.', 'plaintext'],
  ['..', 'plaintext'],
  ['a.constructor', 'plaintext'],
  ['a.__proto__', 'plaintext'],
])('%j is %s', (file, language) => {
  expect(languageOf(file)).toBe(language);
});

test('15 of them are listed, with the extensions that they are told by', () => {
  expect(LISTED_LANGUAGES.map(({ id }) => id)).toEqual(
    'typescript javascript go python rust java php ruby html css json yaml markdown sql shell'.split(' '),
  );
  for (const { id, extensions } of LISTED_LANGUAGES) {
    expect(extensions.map((extension) => `a${extension}`)).toEqual(DETECTED[id]);
  }
});
