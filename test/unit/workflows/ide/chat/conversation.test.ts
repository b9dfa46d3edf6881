import { expect, test } from 'vitest';
import type { StoredMessage } from '../../../../../src/core/stores/chat-store.ts';
import { historyBefore, promptText } from '../../../../../src/workflows/ide/chat/conversation.ts';

const message = (seq: number, role: 'user' | 'assistant', content: string): StoredMessage => ({
  seq,
  role,
  content,
  author: undefined,
  at: 0,
});
const MANY = { historyMessages: 100, historyCharacters: 1_000 };
const ONE = message(3, 'user', 'three');
const ALL = [
  message(1, 'user', 'one'),
  message(2, 'assistant', 're one'),
  ONE,
  message(4, 'user', 'four'),
  message(5, 'assistant', 're zero'),
];
const chosen = (bounds: object) => historyBefore(ONE, ALL, { ...MANY, ...bounds }).map(({ content }) => content);

test('later messages of users are no part of the history, later answers are', () => {
  expect(chosen({})).toEqual(['one', 're one', 're zero']);
});

test('a history is the newest part that fits', () => {
  expect(chosen({ historyMessages: 2 })).toEqual(['re one', 're zero']);
  expect(chosen({ historyMessages: 0 })).toEqual([]);
  expect(chosen({ historyCharacters: 13 })).toEqual(['re one', 're zero']);
  expect(chosen({ historyCharacters: 12 })).toEqual(['re zero']);
  expect(chosen({ historyCharacters: 0 })).toEqual([]);
});

test('a prompt begins with no text of the chat', () => {
  for (const history of [[], ALL])
    expect(promptText(history, message(9, 'user', '--version'))).toMatch(/^Answer [^-]*(?:.|\n)*\n\n--version$/);
});
