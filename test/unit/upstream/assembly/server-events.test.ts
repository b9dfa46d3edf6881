import { beforeEach, describe, expect, test } from 'vitest';
import { CallHost } from '../../../../src/upstream/assembly/call-host.ts';
import { ServerEvents } from '../../../../src/upstream/assembly/server-events.ts';
import type { NotificationMessage, RequestMessage } from '../../../../src/wire/message.ts';
import { entryOf } from '../entries.ts';

/** What the parts of an upstream have heard, in order. */
let heard: string[];
beforeEach(() => {
  heard = [];
});

/** Parts that note what they are told; each call returns what `returns` has under its name. */
function open(returns: Readonly<Record<string, unknown>> = {}) {
  const part = (name: string, more: object = {}) =>
    new Proxy(more as Record<string, unknown>, {
      get: (target, member: string) => {
        if (member in target) return target[member];
        return (...words: unknown[]) => {
          const key = `${name}.${member}`;
          heard.push([key, ...words.filter((word) => typeof word !== 'object')].join(' '));
          return key in returns ? returns[key] : words[0];
        };
      },
    });
  const names = ['record', 'stderr', 'pointers', 'declared', 'asks', 'lists', 'resources', 'logLevel'];
  const parts = {
    ...Object.fromEntries([...names, 'notifications', 'states', 'idle'].map((name) => [name, part(name)])),
    tasks: part('tasks', { notices: part('notices') }),
    calls: part('calls', { tracker: part('tracker'), hasOpen: true }),
  };
  return new ServerEvents('up', parts as never, () => heard.push('offer'));
}

const NOTICE = { method: 'n' } as NotificationMessage;

describe('the parts of an upstream hear', () => {
  test('that it is connected; its offer is new only where it declares something new', () => {
    open({ 'declared.take': false }).onConnected({} as never, {} as never);
    const all = ['record.onConnected', 'stderr.onConnected', 'asks.attach', 'logLevel.onConnected', 'tasks.attach'];
    expect(heard).toEqual([...all, 'resources.attach', 'calls.onConnected', 'lists.attach', 'declared.take']);
    open({ 'declared.take': true }).onConnected({} as never, {} as never);
    expect(heard.at(-1)).toBe('offer');
  });

  test('that it is gone, with the reason for its lists only where it was lost', () => {
    const events = open();
    events.onDisconnected('it ended', true);
    expect(heard).toEqual([
      'asks.detach it ended',
      'tracker.reset',
      'lists.detach it ended',
      'resources.detach',
      'tasks.detach',
    ]);
    events.onDisconnected('it was stopped', false);
    expect(heard[7]).toMatch(/^lists\.detach ?$/);
  });

  test('how it stands; what it wrote last is logged where it is in trouble', () => {
    const last = ['states.onState', 'idle.onState'];
    open({ 'record.onState': false }).onState({ name: 'starting', since: 0, attempt: 1 });
    expect(heard).toEqual(['record.onState', 'stderr.onStarting', 'calls.onStateChange', 'offer', ...last]);
    heard.length = 0;
    open({ 'record.onState': true }).onState({ name: 'stopped', since: 0 } as never);
    expect(heard).toEqual(['record.onState', 'stderr.logLast up', 'calls.onStateChange', 'offer', ...last]);
    heard.length = 0;
    open({ 'record.onState': false }).onState({ name: 'ready', since: 0 } as never);
    expect(heard).toEqual(['record.onState', 'calls.onStateChange', 'offer', ...last]);
  });

  test('that changes of its lists were missed, and what it writes, without control characters', () => {
    const events = open();
    events.onMissed();
    events.onStderr('a\u001b[31mb');
    expect(heard).toEqual(['lists.onListChanged', 'stderr.push ab']);
  });

  test('what it asks, with the call that it asks for, and what it takes back', () => {
    const events = open();
    events.onAsk({ method: 'ping' } as RequestMessage, 7);
    events.onAskCancelled('3');
    expect(heard).toEqual(['pointers.inMessage', 'tasks.askOf', 'asks.onAsk 7', 'asks.onCancelled 3']);
  });

  test('what it answers or says late', () => {
    const events = open({ 'notices.takeLateProgress': true });
    events.onLateAnswer(4);
    expect(events.onLateProgress(5, NOTICE)).toBe(true);
    expect(heard).toEqual(['tracker.onLateAnswer 4', 'notices.takeLateProgress 5']);
    expect(events.hasOpenCalls).toBe(true);
  });

  test('its notifications, unless another part has taken them', () => {
    const [taking, known] = ['pointers.inMessage', 'resources.take'];
    open().onNotification(NOTICE, 7);
    expect(heard).toEqual([taking, known, 'tasks.take', 'notifications.route 7']);
    heard.length = 0;
    open({ 'resources.take': undefined }).onNotification(NOTICE, 7);
    expect(heard).toEqual([taking, known]);
    heard.length = 0;
    open({ 'tasks.take': undefined }).onNotification(NOTICE, 7);
    expect(heard).toEqual([taking, known, 'tasks.take']);
  });
});

test('a process is replaced after a call was given up only if it asks for no named call and can be replaced', () => {
  const renewed: string[] = [];
  const host = (isUnnamed: boolean, isRenewable?: boolean) =>
    new CallHost(
      {
        entry: entryOf(),
        traits: {},
        asking: { isUnnamed },
        ...(isRenewable !== undefined && { isRenewable: () => isRenewable }),
      } as never,
      { connection: { renew: (reason: string) => renewed.push(reason) } } as never,
    );
  const renewable = [host(true, true), host(true, false), host(true), host(false, true)];
  expect(renewable.map((one) => one.isRenewable())).toEqual([true, false, false, false]);
  expect([host(true).isSerial(), host(false).isSerial()]).toEqual([true, false]);
  host(true).renew();
  expect(renewed).toEqual(['a call of another client was given up']);
  expect(host(true).againHint).toBe('To start it again: viaduct sync up');
});
