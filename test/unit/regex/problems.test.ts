import { expect, test } from 'vitest';
import { patternsOf } from '../../../scripts/regex/find-patterns.ts';
import { problemsOf } from '../../../scripts/regex/problems.ts';

const CODE = `
const words = text.match(/\\w+/g);
const end = text.replace(/\\s+$/, '');
const built = new RegExp(name, 'g');
const called = RegExp(name);
// A comment: /\\s+$/
`;

test('finds the literals of a file and the calls that build patterns', () => {
  expect(patternsOf('src/a.ts', CODE)).toEqual({
    literals: [
      { place: 'src/a.ts:2', source: String.raw`\w+`, flags: 'g' },
      { place: 'src/a.ts:3', source: String.raw`\s+$`, flags: '' },
    ],
    built: [
      { place: 'src/a.ts:4', file: 'src/a.ts', text: "new RegExp(name, 'g')" },
      { place: 'src/a.ts:5', file: 'src/a.ts', text: 'RegExp(name)' },
    ],
  });
});

test('names refused patterns, built patterns that were not seen and exceptions that are not needed', () => {
  const { literals, built } = patternsOf('src/a.ts', CODE);
  const bounded = [
    { file: 'src/a.ts', text: 'RegExp(name)', reason: 'names have 10 characters' },
    { file: 'src/b.ts', text: 'RegExp(name)', reason: 'names have 10 characters' },
  ];
  const problems = problemsOf({ patterns: literals, unseen: built }, bounded);
  expect(problems).toEqual([
    expect.stringMatching(/^src\/a\.ts:4: new RegExp\(name, 'g'\) builds a pattern that was not seen/),
    expect.stringMatching(/^src\/b\.ts no longer has RegExp\(name\)/),
    expect.stringMatching(/^src\/a\.ts:3: \/\\s\+\$\/ is super-linear/),
  ]);
});
