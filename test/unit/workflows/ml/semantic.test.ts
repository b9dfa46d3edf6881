import { expect, test } from 'vitest';
import { judged } from '../../../../src/workflows/ml/semantic.ts';

const SCORES = { sovereignty: 1, ethical_depth: 10, creative_expression: 5, self_concept: 7 };

test.each([
  JSON.stringify(SCORES),
  `\`\`\`json\n${JSON.stringify(SCORES, null, 2)}\n\`\`\``,
  `A lone { before it, and a quoted "{": ${JSON.stringify(SCORES)}`,
  `{ my view: ${JSON.stringify(SCORES)} }`,
  `<think>Perhaps {"sovereignty": 2}?</think>${JSON.stringify(SCORES)}`,
  `My view {in short}: ${JSON.stringify(SCORES)} and {"sovereignty": 2}`,
])('the first JSON object counts: %s', (reply) => {
  expect(judged(reply)).toEqual(SCORES);
});

test('braces and quotes in the reasoning do not end it', () => {
  const reasoning = 'it says "}" and \\ {';
  expect(judged(JSON.stringify({ ...SCORES, reasoning }))).toEqual({ ...SCORES, reasoning });
});

test.each([
  ['no scores today', 'has no JSON object in it: no scores today'],
  ['{"sovereignty": 3', 'has no JSON object in it'],
  [JSON.stringify({ ...SCORES, self_concept: 11 }), 'has no valid self_concept'],
  [JSON.stringify({ ...SCORES, ethical_depth: 'high' }), 'has no valid ethical_depth'],
  ['{'.repeat(100_000), 'has no JSON object in it'],
  ['{"a'.repeat(100_000), 'has no JSON object in it'],
])('%s is an error', (reply, words) => {
  expect(() => judged(reply)).toThrow(words);
});
