import { expect, test } from 'vitest';
import { Subscriptions } from '../../../../src/core/providers/subscriptions.ts';
import { ClientActivity } from '../../../../src/upstream/status/client-activity.ts';

function open() {
  const calls = { hasOpen: false, isAwaitingClient: false };
  const subscriptions = new Subscriptions();
  return { calls, subscriptions, activity: new ClientActivity(calls, { subscriptions }) };
}

test('an upstream is busy while a call is open', () => {
  const { calls, activity } = open();
  expect([activity.isBusy, activity.hasOpenCalls, activity.isAwaitingClient]).toEqual([false, false, false]);
  calls.hasOpen = true;
  expect([activity.isBusy, activity.hasOpenCalls, activity.isAwaitingClient]).toEqual([true, true, false]);
  calls.isAwaitingClient = true;
  expect(activity.isAwaitingClient).toBe(true);
});

test('an upstream is busy while a client has subscribed to a resource', () => {
  const { subscriptions, activity } = open();
  subscriptions.succeed(subscriptions.begin('r://a', 'A', '"r://a"' as never));
  expect([activity.isBusy, activity.hasOpenCalls, activity.subscribers()]).toEqual([true, false, ['A']]);
  subscriptions.removeSession('A');
  expect([activity.isBusy, activity.subscribers()]).toEqual([false, []]);
});
