import { describe, expect, test } from 'vitest';
import { ElicitationIds, MAX_ID_LENGTH } from '../../../../../src/upstream/events/asks/elicitation-ids.ts';
import { ToldIds } from '../../../../../src/upstream/events/asks/told-ids.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { type RequestMessage, type ResponseMessage, readMessage } from '../../../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../../../src/wire/reply.ts';

const open = () => new ElicitationIds({ upstream: 'up', told: new ToldIds(), isTold: () => true });

function question(elicitationId: string): RequestMessage {
  const params = { mode: 'url', message: 'visit', url: 'https://example.org', elicitationId };
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params });
  return readMessage(Frame.of(Buffer.from(json))) as RequestMessage;
}

function urlError(ids: readonly string[]): Reply {
  const elicitations = ids.map((elicitationId) => ({ mode: 'url', message: 'visit', url: 'https://e', elicitationId }));
  const error = { code: -32042, message: 'visit first', data: { elicitations } };
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, error });
  return relayedReply(readMessage(Frame.of(Buffer.from(json))) as ResponseMessage) as Reply;
}

const said = (reply: Reply) => JSON.parse(toBuffer(reply.withId('1')).toString()) as { error: { message: string } };

describe('the id of an elicitation', () => {
  test('of the longest length is passed on', () => {
    const id = 'x'.repeat(MAX_ID_LENGTH);
    expect(open().problemOf(question(id))).toBeUndefined();
    expect(said(open().answer(urlError([id]), 'A')).error.message).toBe('visit first');
  });

  test('is refused where it is longer, with the length and the limit', () => {
    const id = 'x'.repeat(MAX_ID_LENGTH + 1);
    const problem = 'its elicitationId has 1025 characters; at most 1024 are allowed';
    expect(open().problemOf(question(id))).toBe(problem);
    expect(said(open().answer(urlError(['short', id]), 'A')).error).toEqual({
      code: -32603,
      message: `up: invalid answer: ${problem}`,
    });
  });

  test('comes with no more than 99 others in one error', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
    expect(said(open().answer(urlError(ids(100)), 'A')).error.message).toBe('visit first');
    expect(said(open().answer(urlError(ids(101)), 'A')).error.message).toBe(
      'up: invalid answer: its error names more than 100 elicitations',
    );
  });
});
