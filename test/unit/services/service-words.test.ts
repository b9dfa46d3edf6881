import { expect, test } from 'vitest';
import { serviceWords } from '../../../src/services/service-words.ts';

const KEY = 'sk-secret-0123456789';

test.each([
  ['of Ollama', JSON.stringify({ error: `bad ${KEY}` }), 'bad ***'],
  ['of OpenAI', JSON.stringify({ error: { message: 'no\n\n  credit' } }), 'no credit'],
  ['a key with an invisible character in it', `bad ${KEY.slice(0, 8)}\u200b${KEY.slice(8)}`, 'bad ***'],
  ['a key where the text is cut', `bad${' '.repeat(1_185)}${KEY}`, 'bad ***'],
  ['very long', JSON.stringify({ error: 'x'.repeat(1_000_000) }), `${'x'.repeat(299)}…`],
])('words %s', (_name, text, words) => {
  expect(serviceWords(text, KEY)).toBe(words);
});
