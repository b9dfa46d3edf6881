import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { answerTypes } from '../../../../../src/downstream/http/posts/accept.ts';

const typesOf = (accept: string | undefined) => {
  const { json, events, prefersEvents } = answerTypes({ headers: { accept } } as unknown as IncomingMessage);
  return [json && 'json', events && 'events', prefersEvents && 'events first'].filter(Boolean).join(', ');
};

test.each([
  ['application/json, text/event-stream', 'json, events'],
  ['text/event-stream, application/json', 'json, events, events first'],
  ['application/json', 'json'],
  ['text/event-stream', 'events, events first'],
  [undefined, 'json, events'],
  ['*/*', 'json, events'],
  ['text/*', 'events, events first'],
  ['application/*', 'json'],
  ['Application/JSON, Text/Event-Stream', 'json, events'],
  ['application/json;q=0.5, text/event-stream;q=0.9', 'json, events, events first'],
  ['application/json;q=0.9, text/event-stream;q=0.8, */*;q=0.1', 'json, events'],
  ['text/event-stream;q=0, application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/event-stream;charset=UTF-8, application/json;charset=UTF-8', 'json, events, events first'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'json, events'],
  ['text/html', ''],
  ['image/*', ''],
  ['json', ''],
  ['', ''],
  [',;=,q=', ''],
  ['application/jsonp', ''],
])('%j takes %s', (accept, types) => {
  expect(typesOf(accept)).toBe(types);
});
