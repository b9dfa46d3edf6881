import { expect, test } from 'vitest';
import { refusalWords } from '../../../../src/core/refusals/refusal-words.ts';
import { errorReply } from '../../../../src/wire/reply.ts';

test.each<[string, number, string]>([
  ['User rejected sampling request', -1, 'User rejected sampling request (-1)'],
  ['', -32603, 'no message (-32603)'],
  ['\u001b[31mno\u001b[0m\n\n  not \u202enow', -32601, 'no not now (-32601)'],
  ['x'.repeat(5_000), 7, `${'x'.repeat(299)}… (7)`],
])('%j', (message, code, words) => {
  expect(refusalWords(errorReply({ code, message }))).toBe(words);
});
