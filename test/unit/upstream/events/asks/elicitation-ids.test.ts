import { describe, expect, test } from 'vitest';
import { ElicitationIds, MAX_ID_LENGTH } from '../../../../../src/upstream/events/asks/elicitation-ids.ts';
import { ToldIds } from '../../../../../src/upstream/events/asks/told-ids.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readMessage,
} from '../../../../../src/wire/message.ts';
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

describe('the completion of an elicitation', () => {
  const completed = (elicitationId?: unknown) =>
    readMessage(
      Frame.of(
        Buffer.from(
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } }),
        ),
      ),
    ) as NotificationMessage;
  const idIn = ({ frame }: { readonly frame: Frame }) => JSON.parse(frame.text.toString()).params.elicitationId;

  test('is for the client that was asked, under the id that it knows', () => {
    const told = new ToldIds();
    const isTold = () => true;
    told.tell('A', { upstream: 'other', ownId: 'x' });
    const ids = new ElicitationIds({ upstream: 'up', told, isTold });
    expect(idIn(ids.question(question('x'), 'A'))).toBe('up/x');
    expect(ids.completion(completed('x'))).toBeUndefined();
    ids.onAsked(question('x'), 'A');
    const found = ids.completion(completed('x'))!;
    expect([found.sessionId, idIn(found.message)]).toEqual(['A', 'up/x']);
    expect([ids.completion(completed('y')), ids.completion(completed(7))]).toEqual([undefined, undefined]);
  });

  test('is for the client whose call was answered with it', () => {
    const ids = open();
    ids.answer(urlError(['x', 'y']), 'A');
    expect(ids.completion(completed('y'))?.sessionId).toBe('A');
  });

  test('is for the same client where it was asked twice, and for none of several', () => {
    const ids = open();
    ids.onAsked(question('x'), 'A');
    ids.onAsked(question('x'), 'A');
    expect(ids.completion(completed('x'))?.sessionId).toBe('A');
    ids.onAsked(question('x'), 'B');
    expect(ids.completion(completed('x'))).toBeUndefined();
    ids.onAsked(question('x'), 'B');
    expect(ids.completion(completed('x'))).toBeUndefined();
  });

  test('is for nobody once its client has gone, also where another one is asked under that id', () => {
    const told = new ToldIds();
    const ids = new ElicitationIds({ upstream: 'up', told, isTold: () => true });
    ids.onAsked(question('x'), 'A');
    ids.onAsked(question('y'), 'B');
    told.tell('A', { upstream: 'other', ownId: 'x' });
    ids.onSessionEnded('A');
    expect([ids.completion(completed('x')), ids.completion(completed('y'))?.sessionId]).toEqual([undefined, 'B']);
    ids.onAsked(question('x'), 'B');
    expect(ids.completion(completed('x'))).toBeUndefined();
    // What the client was told is forgotten.
    expect(told.tell('A', { upstream: 'up', ownId: 'x' })).toBe('x');
  });

  test('of a client that hears of none is not kept, and its ids stay as they are', () => {
    const told = new ToldIds();
    told.tell('A', { upstream: 'other', ownId: 'x' });
    const ids = new ElicitationIds({ upstream: 'up', told, isTold: () => false });
    ids.onAsked(question('x'), 'A');
    expect(ids.completion(completed('x'))).toBeUndefined();
    expect(idIn(ids.question(question('x'), 'A'))).toBe('x');
  });

  test('is kept for the 1,024 newest ids', () => {
    const ids = open();
    for (let count = 0; count < 1_024; count++) ids.onAsked(question(`id-${count}`), 'A');
    ids.onAsked(question('id-0'), 'A');
    expect(ids.completion(completed('id-1'))?.sessionId).toBe('A');
    ids.onAsked(question('new'), 'A');
    expect(['id-0', 'id-1', 'id-2', 'new'].map((id) => ids.completion(completed(id))?.sessionId)).toEqual([
      'A',
      undefined,
      'A',
      'A',
    ]);
  });
});
