import { expect, test } from 'vitest';
import { LinkOutbox } from '../../../../src/upstream/connection/link-outbox.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { resultReply } from '../../../../src/wire/reply.ts';

function open() {
  const sent: string[] = [];
  const peer = {
    queuedBytes: 0,
    send: (bytes: Parameters<typeof toBuffer>[0]) => sent.push(toBuffer(bytes).toString()),
  };
  let unread = 0;
  const outbox = new LinkOutbox(peer, { unread: () => void unread++ });
  const sendAll = () => {
    outbox.notify('notifications/a', { b: 1 });
    outbox.notify('notifications/c');
    outbox.answer('"id"', resultReply({}));
    outbox.relay('{}');
  };
  return { outbox, peer, sent, sendAll, unread: () => unread };
}

test('notifications, answers and what is passed on are sent', () => {
  const { sent, sendAll } = open();
  sendAll();
  expect(sent).toEqual([
    '{"jsonrpc":"2.0","method":"notifications/a","params":{"b":1}}',
    '{"jsonrpc":"2.0","method":"notifications/c"}',
    '{"jsonrpc":"2.0","id":"id","result":{}}',
    '{}',
  ]);
});

test('to a peer that does not read nothing is sent, and that is counted', () => {
  const { peer, sent, sendAll, unread } = open();
  peer.queuedBytes = 16 * 1024 * 1024 + 1;
  sendAll();
  expect([sent, unread()]).toEqual([[], 4]);
  peer.queuedBytes--;
  sendAll();
  expect([sent.length, unread()]).toEqual([4, 4]);
});

test('nothing is sent, and nothing counted, once the connection is over', () => {
  const { outbox, peer, sent, sendAll, unread } = open();
  outbox.close();
  sendAll();
  peer.queuedBytes = Number.MAX_SAFE_INTEGER;
  sendAll();
  expect([sent, unread()]).toEqual([[], 0]);
});
