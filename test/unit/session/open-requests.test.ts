import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/session/exchange.ts';
import { OpenRequests } from '../../../src/session/open-requests.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { Asked } from './modern-setup.ts';

test('a request on a pipe waits for room as its client does', () => {
  const room = Promise.resolve();
  const exchange: Exchange = Object.assign(new Asked(1), { whenRoom: () => room });
  let tracked: Exchange | undefined;
  new OpenRequests().track(madeRequest('tools/call', '{}'), exchange, (begun) => {
    tracked = begun;
    return { cancel: () => undefined };
  });
  expect(tracked?.whenRoom?.()).toBe(room);
});
