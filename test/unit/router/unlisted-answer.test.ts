import { expect, test } from 'vitest';
import { withHint } from '../../../src/router/unlisted-answer.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { errorReply, openReply, type Reply, resultReply } from '../../../src/wire/reply.ts';

/** As an upstream would have sent it. */
const relayed = (reply: Reply): Reply => ({ ...reply, source: openReply(reply) });

function hinted(reply: Reply, hint = 'Did you mean "x"?'): any {
  return JSON.parse(toBuffer(withHint(relayed(reply), () => hint).withId('1')).toString());
}

test('an error says what may have been meant, after its own words', () => {
  const { error } = hinted(errorReply({ code: -32602, message: 'Unknown tool "é"', data: { a: 1 } }));
  expect(error).toEqual({ code: -32602, message: 'Unknown tool "é". Did you mean "x"?', data: { a: 1 } });
});

test('a result that is an error has one more block', () => {
  const text = { type: 'text', text: 'no such tool' };
  const note = { type: 'text', text: 'Note by the gateway: Did you mean "x"?' };
  expect(hinted(resultReply({ content: [text], isError: true })).result.content).toEqual([text, note]);
  expect(hinted(resultReply({ isError: true, content: [] })).result.content).toEqual([note]);
});

test('everything else stays as it is', () => {
  const good = { content: [{ type: 'text', text: 'done' }] };
  expect(hinted(resultReply(good)).result).toEqual(good);
  expect(hinted(resultReply({ isError: true })).result).toEqual({ isError: true });
  for (const odd of [
    { isError: true, content: 'no such tool' },
    { isError: true, content: null },
    { isError: false, content: [] },
    { content: [] },
  ]) {
    expect(hinted(resultReply(odd)).result).toEqual(odd);
  }
  expect(hinted(resultReply({ isError: true, content: [] }), '').result).toEqual({ isError: true, content: [] });
  expect(hinted(errorReply({ code: 1, message: 'x' }), '').error.message).toBe('x');
});

test('an answer of more than 64 KiB stays as it is', () => {
  const fits = errorReply({ code: 1, message: 'x'.repeat(60_000) });
  expect(hinted(fits).error.message).toMatch(/Did you mean "x"\?$/);
  for (const large of [
    errorReply({ code: 1, message: 'x'.repeat(70_000) }),
    resultReply({ content: [{ type: 'text', text: 'x'.repeat(70_000) }], isError: true }),
  ]) {
    const given = relayed(large);
    expect(withHint(given, () => 'Did you mean "x"?')).toBe(given);
  }
});
