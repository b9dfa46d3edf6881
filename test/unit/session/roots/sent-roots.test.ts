import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { FolderRule } from '../../../../src/core/folders/folder-rule.ts';
import { callInRule, sentRoots } from '../../../../src/session/roots/sent-roots.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../src/wire/message.ts';

const RULE: FolderRule = {
  admit: async (place) => (place.startsWith('/open') ? place : undefined),
  refuse: (place) => new GatewayError('OUTSIDE_WORKSPACE', `${place} is closed`),
};

function callOf(responses: string, key = 'inputResponses'): CallText {
  const params = `{"name":"t","arguments":{"roots":[1]},"${key}":${responses},"requestState":"s"}`;
  const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  return readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
}

async function sent(responses: string, key?: string) {
  const told: string[] = [];
  const call = await callInRule(callOf(responses, key), {
    rule: RULE,
    tell: ({ frame }) => void told.push(JSON.parse(frame.text.toString()).params.data),
  });
  return { params: JSON.parse(call.message.frame.text.toString()).params, told };
}

test('answers that are no roots are left alone', async () => {
  for (const responses of ['{}', '{"a":{"action":"accept","content":{"roots":"x"}}}', '[]', '"roots"'])
    expect(sentRoots(callOf(responses))).toEqual([]);
});

test('of the roots that a client sends, an upstream gets those that the client may name', async () => {
  const open = { uri: 'file:///open/a', name: 'a' };
  const roots = [open, { uri: 'file:///closed' }, { uri: 'https://example.org' }, { name: 'none' }, 7];
  const { params, told } = await sent(JSON.stringify({ q1: { roots }, q2: { action: 'decline' } }));
  expect(params).toMatchObject({
    arguments: { roots: [1] },
    inputResponses: { q1: { roots: [open] }, q2: { action: 'decline' } },
    requestState: 's',
  });
  expect(told.join()).toContain('/closed is closed');
});

test('no second spelling of a member passes', async () => {
  const closed = '[{"uri":"file:///closed"}]';
  const open = '[{"uri":"file:///open"}]';
  for (const answer of [
    `{"roots":${open},"roots":${closed}}`,
    `{"roots":${closed},"Roots":${open}}`,
    `{"ROOTS":${closed}}`,
    `{"roots":[{"uri":"file:///closed","uri":"file:///open"}]}`,
    `{"roots":[{"uri":"file:///open","URI":"file:///closed"}]}`,
  ]) {
    const { params } = await sent(`{"q":${answer}}`);
    expect(JSON.stringify(params)).not.toContain('closed');
    const other = await sent(`{"q":${answer}}`, 'InputResponses');
    expect(JSON.stringify(other.params)).not.toContain('closed');
  }
});

test('of many roots only the first 100 of a call are looked at, and the client is told', async () => {
  const roots = Array.from({ length: 80 }, (_, index) => ({ uri: `file:///open/${index}` }));
  const { params, told } = await sent(JSON.stringify({ q1: { roots }, q2: { roots }, q3: { roots } }));
  const { q1, q2, q3 } = params.inputResponses;
  expect([q1, q2, q3].map((answer) => answer.roots.length)).toEqual([80, 20, 0]);
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('60 roots are ignored: only the first 100 roots are used');
  expect(told[1]).toContain('80 roots are ignored');
});

test('a root whose uri is longer than any path is ignored', async () => {
  const roots = [{ uri: `file:///open/${'x'.repeat(20_000)}` }, { uri: 'file:///open/b' }];
  const { params, told } = await sent(JSON.stringify({ q1: { roots } }));
  expect(params.inputResponses.q1.roots).toEqual([{ uri: 'file:///open/b' }]);
  expect(told[0]).toContain('1 roots are ignored');
});
