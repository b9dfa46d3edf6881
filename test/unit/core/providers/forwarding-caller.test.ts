import { expect, test } from 'vitest';
import { ForwardingCaller, type ForwardTarget } from '../../../../src/core/providers/forwarding-caller.ts';
import type { ClientFacts } from '../../../../src/core/providers/provider.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type NotificationMessage, readMessage } from '../../../../src/wire/message.ts';

class Forwarding extends ForwardingCaller<ForwardTarget> {
  onReply(): void {}
  onFailure(): void {}
  ask() {
    return () => undefined;
  }
}

const MESSAGE = readMessage(
  Frame.of(Buffer.from('{"jsonrpc":"2.0","method":"notifications/message"}')),
) as NotificationMessage;

/** A target that notes what it is told; `whenRoom` is absent without `room`. */
function target(room?: Promise<void>) {
  const told: unknown[] = [];
  const facts = { clientId: 'c1' } as ClientFacts;
  const heard: ForwardTarget = {
    sessionId: 's1',
    client: facts,
    onProgress: (frame, token) => told.push([frame, token]),
    onNotification: (message) => told.push(message),
    ...(room !== undefined && { whenRoom: () => room }),
  };
  return { told, facts, caller: new Forwarding(heard) };
}

test('a forwarding caller is the client of its target', () => {
  const { caller, facts } = target();
  expect([caller.sessionId, caller.client]).toEqual(['s1', facts]);
});

test('it passes progress and notifications on unchanged', () => {
  const { caller, told } = target();
  const token = { start: 1, end: 2 };
  caller.onProgress(MESSAGE.frame, token);
  caller.onNotification(MESSAGE);
  expect(told).toEqual([[MESSAGE.frame, token], MESSAGE]);
});

test('it has room when its target has, and always where the target does not say', () => {
  const room = Promise.resolve();
  expect(target(room).caller.whenRoom()).toBe(room);
  expect(target().caller.whenRoom()).toBeUndefined();
});
