import { expect, test } from 'vitest';
import { UriOwners } from '../../../../src/catalogue/uris/uri-owners.ts';
import type { ProviderCall } from '../../../../src/core/providers/provider.ts';
import { UriPointers } from '../../../../src/upstream/pointers/uri-pointers.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { readCallText } from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { madeRequest, type ResponseMessage, readMessage } from '../../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../../src/wire/reply.ts';
import { MAX_PARTS } from '../../../../src/wire/scanning/limits.ts';

const call = {
  text: readCallText(madeRequest('tools/call', '{"name":"t"}')),
  ownName: 't',
} as unknown as ProviderCall;

function answered(result: string): string {
  const frame = Frame.ofPeer(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  const reply = relayedReply(readMessage(frame) as ResponseMessage) as Reply;
  return toBuffer(new UriPointers(new UriOwners(), 'up').inReply(call, reply).withId('5')).toString();
}

const LINK = '{"type":"resource_link","uri":"ui://app","name":"a"}';

test('the uris of an answer become public', () => {
  expect(answered(`{"content":[1,${LINK}]}`)).toBe(
    `{"jsonrpc":"2.0","id":5,"result":{"content":[1,${LINK.replace('ui://', 'ui://up/')}]}}`,
  );
});

test('an answer with more blocks than can be looked into becomes an error', () => {
  expect(answered(`{"content":[${'1,'.repeat(MAX_PARTS)}${LINK}]}`)).toBe(
    `{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"up: the answer cannot be used: more than 100000 members or elements at byte 200097"}}`,
  );
});
