import { expect, test } from 'vitest';
import { Mailbox } from '../../../../src/session/legacy/mailbox.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { legacyParts, logMessage } from './setup.ts';

function mailbox(isListening = true) {
  const parts = legacyParts({ isListening: () => isListening });
  const lost: unknown[] = [];
  const subscriptions = { onLost: (provider: unknown) => lost.push(provider) } as never;
  return { ...parts, lost, box: new Mailbox({ ...parts, sessionId: 's', subscriptions }) };
}

test('notifications pass, but for log messages below the level of the client', () => {
  const { box, logLevel, sent } = mailbox();
  logLevel.set('error');
  box.onNotification(logMessage('info'));
  box.onTaskChanged(logMessage('info'));
  expect(sent).toEqual([]);
  box.onNotification(logMessage('error'));
  expect(sent.map((text) => JSON.parse(text).params.level)).toEqual(['error']);
});

test('a changed resource is named by the uri that the client knows', () => {
  const { box, sent } = mailbox();
  const json = '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"own://a"}}';
  const start = json.indexOf('"own://a"');
  box.onResourceUpdated('ui://x/a', Frame.of(Buffer.from(json)), { start, end: start + '"own://a"'.length });
  expect(sent).toEqual([json.replace('own://a', 'ui://x/a')]);
});

test('it tells whether the client listens, and passes on that subscriptions are lost', () => {
  expect([mailbox(true).box.isListening, mailbox(false).box.isListening]).toEqual([true, false]);
  const { box, lost } = mailbox();
  const provider = { id: 'p' } as never;
  box.onSubscriptionsLost(provider);
  expect(lost).toEqual([provider]);
});
