import { describe, expect, test } from 'vitest';
import { type InputRequired, readInputRequired, resultTypeOf } from '../../../src/era/input-rounds.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { lastMember } from '../../../src/wire/lens.ts';
import type { ReplySource } from '../../../src/wire/reply.ts';

function source(result: string): ReplySource {
  const frame = Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  return { frame, body: lastMember(frame.outline.members, 'result')!, idSpans: [] };
}

const read = (result: string) => readInputRequired(source(result), () => 'new-id');
/** The questions as legacy servers send them: key and message. */
const asksIn = (result: string) =>
  (read(result) as InputRequired).asks.map(({ key, message }) => [key, message.frame.text.toString()]);

test.each([
  ['{}', 'complete'],
  ['{"resultType":"complete"}', 'complete'],
  ['{"resultType":"input_required"}', 'input_required'],
  ['{"resultType":1}', '1'],
])('%s is of the type %s', (result, type) => {
  expect(resultTypeOf(source(result))).toBe(type);
});

describe('what a server requires', () => {
  test('becomes requests, their params byte for byte', () => {
    const params = '{ "message":"Zoë \\u00e9", "n":1.0 }';
    expect(
      asksIn(`{"inputRequests":{"a":{"params":${params},"method":"elicitation/create"},"b":{"method":"roots/list"}}}`),
    ).toEqual([
      ['"a"', `{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":${params}}`],
      ['"b"', '{"jsonrpc":"2.0","id":0,"method":"roots/list"}'],
    ]);
  });

  test.each([
    ['{"mode":"url","url":"x"}', '{"elicitationId":"new-id","mode":"url","url":"x"}'],
    ['{ "mode":"url" }', '{"elicitationId":"new-id", "mode":"url" }'],
    ['{"mode":"url","elicitationId":"own"}', '{"mode":"url","elicitationId":"own"}'],
    ['{"mode":"form"}', '{"mode":"form"}'],
  ])('an elicitation by URL gets an id, unless it has one: %s', (params, expected) => {
    const [ask] = asksIn(`{"inputRequests":{"a":{"method":"elicitation/create","params":${params}}}}`);
    expect(ask![1]).toContain(`"params":${expected}}`);
  });

  test.each([
    ['{"requestState":"\\u0061 \\"é"}', '"\\u0061 \\"Ã©"'],
    ['{"inputRequests":{},"requestState":1.0}', '1.0'],
    ['{"inputRequests":{}}', undefined],
  ])('may be nothing; the state is kept as it is spelt: %s', (result, requestState) => {
    expect(read(result)).toEqual({ asks: [], requestState });
  });

  test.each([
    ['{}', 'asks for none'],
    ['{"inputRequests":[]}', 'not an object'],
    ['{"inputRequests":{"a":1}}', 'is not a request: a'],
    ['{"inputRequests":{"a":{}}}', 'is not a request: a'],
    ['{"inputRequests":{"a":{"method":"tools/call"}}}', 'is not a request: a'],
  ])('is refused where it makes no sense: %s', (result, problem) => {
    expect(read(result)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
