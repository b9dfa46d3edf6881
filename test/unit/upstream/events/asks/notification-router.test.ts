import { expect, test } from 'vitest';
import type { EntryKind, Provider } from '../../../../../src/core/providers/provider.ts';
import { CallTracker } from '../../../../../src/upstream/events/asks/call-tracker.ts';
import { CLIENT_LIMITS, NotificationRouter } from '../../../../../src/upstream/events/asks/notification-router.ts';
import type { SuspectCall } from '../../../../../src/upstream/events/asks/suspects.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { type NotificationMessage, readMessage } from '../../../../../src/wire/message.ts';
import { callOf, KeepingCaller } from '../../calls.ts';

/** A client that keeps the notifications of its calls. */
class HearingCaller extends KeepingCaller {
  readonly heard: string[] = [];

  override onNotification(message?: NotificationMessage): void {
    this.heard.push(message!.method);
  }
}

function open() {
  const heard: string[] = [];
  const changed: (readonly EntryKind[])[] = [];
  let leftOut = 0;
  let sole: string | undefined;
  const session = (id: string) => ({
    sessionId: id,
    isListening: true,
    onNotification: ({ method, frame }: NotificationMessage) => heard.push(`${id} ${method} ${frame.text.toString()}`),
    onResourceUpdated: (uri: string, frame: Frame, span: { start: number; end: number }) =>
      heard.push(`${id} ${uri} ${frame.text.toString('utf8', span.start, span.end)}`),
  });
  const tracker = new CallTracker<SuspectCall>();
  const router = new NotificationRouter({
    provider: { id: 'up', kind: 'upstream' } as Provider,
    directory: {
      get: (id: string) => (id === 'gone' ? undefined : session(id)),
      sole: () => (sole === undefined ? undefined : session(sole)),
    } as never,
    subscriptions: {
      spellingsOf: (uri: string, publicUri: string) => [
        ['A', uri],
        ['gone', uri],
        ['B', publicUri],
      ],
    } as never,
    tracker,
    elicitations: {
      completion: (message: NotificationMessage) =>
        message.frame.text.includes('known') ? { sessionId: 'A', message } : undefined,
    } as never,
    publicUri: (uri) => `public:${uri}`,
    onListChanged: (kinds) => changed.push(kinds),
    onLeftOut: () => void leftOut++,
  });
  const tell = (method: string, params: object = {}, of?: number) => {
    const json = JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}`, params });
    router.route(readMessage(Frame.of(Buffer.from(json))) as NotificationMessage, of);
  };
  let ids = 0;
  const call = (sessionId: string) => {
    const caller = new HearingCaller(sessionId);
    const made = { requestId: ++ids, sessionId, owner: sessionId, mayGoOn: false, call: callOf('t', '{}', caller) };
    tracker.onSent(made as never, -1);
    return { caller, requestId: ids };
  };
  const alone = (id: string) => {
    sole = id;
  };
  return { tell, heard, changed, leftOut: () => leftOut, call, alone };
}

test('a changed list is no message for clients', () => {
  const { tell, heard, changed } = open();
  tell('tools/list_changed');
  expect([changed, heard]).toEqual([[['tool']], []]);
});

test('a changed resource is told to each client that subscribed to it, by its own spelling', () => {
  const { tell, heard, changed } = open();
  tell('resources/updated', { uri: 'r://a' });
  expect([heard, changed]).toEqual([['A r://a "r://a"', 'B public:r://a "r://a"'], []]);
  tell('resources/updated', { uri: 7 });
  tell('resources/updated');
  expect(heard).toHaveLength(2);
});

test('a completed elicitation is told to the client that had it, and to nobody where that is not known', () => {
  const { tell, heard } = open();
  tell('elicitation/complete', { elicitationId: 'known' });
  expect(heard).toEqual([expect.stringMatching(/^A notifications\/elicitation\/complete /)]);
  tell('elicitation/complete', { elicitationId: 'other' });
  expect(heard).toHaveLength(1);
});

test('what comes on the stream of a call goes to that call', () => {
  const { tell, heard, call } = open();
  const [one, two] = [call('A'), call('B')];
  tell('message', {}, two.requestId);
  tell('message', {}, 99);
  expect([one.caller.heard, two.caller.heard, heard]).toEqual([[], ['notifications/message'], []]);
});

test('what comes on no stream goes to the only client with calls, and to none of several', () => {
  const { tell, heard, call } = open();
  const one = call('A');
  tell('message');
  expect(one.caller.heard).toEqual(['notifications/message']);
  call('A');
  tell('message');
  expect([one.caller.heard.length, heard.length]).toEqual([1, 1]);
  call('B');
  tell('message');
  expect([one.caller.heard.length, heard.length]).toEqual([1, 1]);
});

test('before the first call, a client that is alone gets it', () => {
  const { tell, heard, alone } = open();
  tell('message');
  expect(heard).toEqual([]);
  alone('A');
  tell('message');
  expect(heard).toEqual([expect.stringMatching(/^A notifications\/message /)]);
});

test('of a flood, the rest is left out; changed lists and resources are not part of it', () => {
  const { tell, heard, alone, leftOut } = open();
  alone('A');
  for (let count = 0; count < CLIENT_LIMITS.burst; count++) tell('message');
  expect([heard.length, leftOut()]).toEqual([CLIENT_LIMITS.burst, 0]);
  for (let count = 0; count < CLIENT_LIMITS.burst; count++) tell('message');
  expect(leftOut()).toBeGreaterThan(0);
  expect(heard.length + leftOut()).toBe(2 * CLIENT_LIMITS.burst);
  tell('resources/updated', { uri: 'r://a' });
  expect(heard.at(-1)).toBe('B public:r://a "r://a"');
});
