import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { FolderRule } from '../../../../src/core/folders/folder-rule.ts';
import type { ClientAsk } from '../../../../src/core/providers/provider.ts';
import { askInRule, rootsInRule } from '../../../../src/session/roots/asked-roots.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import type { RequestMessage } from '../../../../src/wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../../../src/wire/reply.ts';
import { read } from '../modern-setup.ts';

const RULE: FolderRule = {
  admit: async (place) => (place.startsWith('/open') ? place : undefined),
  refuse: (place) => new GatewayError('OUTSIDE_WORKSPACE', `${place} is closed`),
};
const OPEN = { uri: 'file:///open/a' };
const CLOSED = { uri: 'file:///closed' };

interface Given {
  readonly rule?: FolderRule | undefined;
  readonly isOwn?: boolean;
  readonly method?: string;
}

/** A question for a client, what became of it, and the question as the client has it. */
function asked({ rule = RULE, isOwn, method = 'roots/list' }: Given = {}) {
  const diary: string[] = [];
  const told: string[] = [];
  const withdrawn: (string | undefined)[] = [];
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const note = (text: string) => {
    diary.push(text);
    settle();
  };
  const ask: ClientAsk = {
    message: read<RequestMessage>(`{"jsonrpc":"2.0","id":7,"method":"${method}"}`),
    ...(isOwn !== undefined && { isOwn }),
    onAnswer: (reply: Reply) => note(toBuffer(reply.withId('7')).toString()),
    onFailure: ({ message }) => note(`failed: ${message}`),
    onProgress: ({ text }) => note(`progress: ${text.toString()}`),
  };
  let sent: ClientAsk | undefined;
  const withdraw = askInRule(ask, {
    rule,
    tell: ({ frame }) => void told.push(JSON.parse(frame.text.toString()).params.data),
    send: (one) => {
      sent = one;
      return (reason) => void withdrawn.push(reason);
    },
  });
  return { ask, sent: sent!, withdraw, withdrawn, diary, told, settled };
}

const resultOf = (text: string | undefined) => JSON.parse(text!).result as { roots: object[] };

describe('a question of an upstream for roots', () => {
  test('is answered with those that the client may name; the client hears which were left out', async () => {
    const { sent, diary, told, settled } = asked();
    sent.onAnswer(resultReply({ roots: [OPEN, CLOSED] }));
    await settled;
    expect(resultOf(diary[0])).toEqual({ roots: [OPEN] });
    expect(told).toEqual(['Roots were left out. /closed is closed']);
  });

  test('says nothing to the client where no root was left out', async () => {
    const { sent, diary, told, settled } = asked();
    sent.onAnswer(resultReply({ roots: [OPEN] }));
    await settled;
    expect([resultOf(diary[0]), told]).toEqual([{ roots: [OPEN] }, []]);
  });

  test('gets an error as the client has sent it', async () => {
    const { sent, diary, settled } = asked();
    sent.onAnswer(errorReply({ code: -1, message: 'no' }));
    await settled;
    expect(JSON.parse(diary[0]!)).toMatchObject({ error: { code: -1, message: 'no' } });
  });

  test('fails where the folders cannot be checked', async () => {
    const { sent, diary, settled } = asked({ rule: { ...RULE, admit: () => Promise.reject(new Error('disk')) } });
    sent.onAnswer(resultReply({ roots: [OPEN] }));
    await settled;
    expect(diary).toEqual([expect.stringContaining('failed: ')]);
  });

  test('passes on failures and progress', () => {
    const { sent, diary } = asked();
    sent.onProgress(Frame.of(Buffer.from('{"p":1}')), { start: 0, end: 1 });
    sent.onFailure(new GatewayError('CALL_CANCELLED', 'gone'));
    expect(diary).toEqual(['progress: {"p":1}', 'failed: gone']);
  });

  test.each([
    ['an answer', RULE],
    ['a failed check', { ...RULE, admit: () => Promise.reject(new Error('disk')) }],
  ])('that was withdrawn hears of nothing, also when %s comes later', async (_what, rule) => {
    const { sent, withdraw, withdrawn, diary, told } = asked({ rule });
    sent.onAnswer(resultReply({ roots: [OPEN, CLOSED] }));
    withdraw('enough');
    await new Promise((resolve) => setImmediate(resolve));
    expect([withdrawn, diary, told]).toEqual([['enough'], [], []]);
  });
});

test.each<[string, Given]>([
  ['where the client may name any folder', { rule: undefined }],
  ['of the gateway itself', { isOwn: true }],
  ['for something else', { method: 'sampling/createMessage' }],
])('a question %s goes to the client as it is', (_what, given) => {
  const options = asked('rule' in given ? { ...given } : given);
  if ('rule' in given) {
    const sent: ClientAsk[] = [];
    const send = (one: ClientAsk) => {
      sent.push(one);
      return () => undefined;
    };
    askInRule(options.ask, { rule: undefined, tell: () => undefined, send });
    expect(sent).toEqual([options.ask]);
  } else expect(options.sent).toBe(options.ask);
});

test('a root keeps its name and its _meta, and nothing that the specification does not know', async () => {
  const root = { ...OPEN, name: 'a', _meta: { k: 1 }, more: true };
  const { result } = await rootsInRule({ roots: [root, { ...OPEN, name: 7 }] }, RULE);
  expect(result).toEqual({ roots: [{ ...OPEN, name: 'a', _meta: { k: 1 } }, OPEN] });
});

test('what is no folder of this machine is left out, under its own name', async () => {
  const { result, notice } = await rootsInRule({ roots: [{ uri: 'https://example.org' }, CLOSED] }, RULE);
  expect(result).toEqual({ roots: [] });
  const { params } = JSON.parse(notice!.frame.text.toString());
  expect(params).toEqual({
    level: 'warning',
    logger: 'viaduct',
    data: 'Roots were left out. https://example.org is closed\n/closed is closed',
  });
});
