import { expect, test } from 'vitest';
import type { AskTarget, ClientAsk } from '../../../../../src/core/providers/provider.ts';
import { AskDelivery } from '../../../../../src/upstream/events/asks/ask-delivery.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../../src/wire/message.ts';
import { NO_ELICITATIONS } from '../../calls.ts';

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}';

/** A question that a client has; `progress` is what the client says of it. */
function given(params: string) {
  const relayed: string[] = [];
  const delivery = new AskDelivery({ isOpen: () => true } as never, NO_ELICITATIONS, () => undefined);
  const outbox = { relay: (bytes: never) => relayed.push(toBuffer(bytes).toString()) };
  delivery.attach({ outbox } as never);
  const json = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":${params}}`;
  const message = readMessage(Frame.of(Buffer.from(json))) as RequestMessage;
  let asked: ClientAsk | undefined;
  const target = {
    sessionId: 'A',
    ask: (ask: ClientAsk) => {
      asked = ask;
      return () => undefined;
    },
  } as unknown as AskTarget;
  delivery.give({ message, beginTurn: () => 1, isTurn: () => true, onGiven: () => undefined } as never, target);
  const start = PROGRESS.indexOf('77');
  const progress = () => asked!.onProgress(Frame.of(Buffer.from(PROGRESS)), { start, end: start + 2 });
  return { delivery, relayed, progress };
}

test('progress with a question reaches the upstream under its own token, as it spelt it', () => {
  const { delivery, relayed, progress } = given('{"_meta":{"progressToken":"a\\u0062"}}');
  progress();
  expect(relayed).toEqual([PROGRESS.replace('77', '"a\\u0062"')]);
  delivery.attach(undefined as never);
  progress();
  expect(relayed).toHaveLength(1);
});

test('an upstream that has named no token hears of no progress', () => {
  const { relayed, progress } = given('{}');
  progress();
  expect(relayed).toEqual([]);
});
