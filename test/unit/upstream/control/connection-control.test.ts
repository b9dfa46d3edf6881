import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { ConnectionState } from '../../../../src/upstream/connection/machine.ts';
import { ConnectionControl, type ControlledParts } from '../../../../src/upstream/control/connection-control.ts';
import { StateWaiters } from '../../../../src/upstream/status/state-waiters.ts';
import type { UpstreamOptions } from '../../../../src/upstream/upstream-options.ts';
import { entryOf } from '../entries.ts';

/** An upstream that becomes `next` as soon as it is wanted. */
function open({
  restart = 'always' as 'always' | 'on-demand',
  start = 'eager' as 'eager' | 'lazy',
  isKnown = false,
  isUsable = true,
  declared = {},
} = {}) {
  const log: string[] = [];
  let state: Partial<ConnectionState> = { name: 'idle' };
  let next: Partial<ConnectionState> = { name: 'ready' };
  const states = new StateWaiters(() => state as ConnectionState);
  const parts = {
    connection: {
      get state() {
        return state;
      },
      want: (force: boolean, isUrgent = true) => {
        log.push(`want${force ? ' force' : ''}${isUrgent ? ' urgent' : ''}`);
        state = next;
        states.onState();
      },
      stop: async (reason: string, byHand: boolean) => void log.push(`stop ${reason} ${byHand}`),
      onCredentialsChanged: () => void log.push('credentials'),
    },
    lists: { known: { isKnown: () => isKnown }, sync: async () => void log.push('sync'), trouble: { errors: [] } },
    states,
    stderr: { lastOfStart: () => [] },
    declared: { known: declared },
  } as unknown as ControlledParts;
  const options = {
    entry: entryOf({ restart, start }),
    mask: (text: string) => text,
    transport: { authorization: { reload: async () => isUsable } },
  } as unknown as UpstreamOptions;
  const control = new ConnectionControl(options, parts);
  return {
    control,
    log,
    become: (now: Partial<ConnectionState>, then = now) => {
      state = now;
      next = then;
    },
  };
}

test.each([
  ['that is connected from the start', { isKnown: true, start: 'eager' }, ['want force']],
  ['that waits for calls and is known', { isKnown: true, start: 'lazy' }, []],
  ['that waits for calls and is not known yet', { start: 'lazy' }, ['want force']],
  [
    'that waits for calls and has tasks of modern clients',
    { isKnown: true, start: 'lazy', declared: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    ['want force'],
  ],
  ['that is started by calls and not known yet', { restart: 'on-demand' }, ['want force']],
  ['that is started by calls and known', { restart: 'on-demand', isKnown: true }, []],
] as const)('an upstream %s is started accordingly', (_what, rules, log) => {
  const opened = open(rules);
  opened.control.start();
  expect(opened.log).toEqual(log);
});

test('one that is retired is not started, by hand either', async () => {
  const { control, log, become } = open();
  await control.retire('removed');
  become({ name: 'stopped', reason: 'removed' });
  control.start();
  await expect(control.sync(() => [])).rejects.toThrow('up is stopped: removed');
  expect(log).toEqual(['stop removed true']);
});

test('one that is disconnected is started again, and synced by hand', async () => {
  const { control, log } = open();
  await control.disconnect('by hand');
  control.start();
  expect(await control.sync(() => [])).toEqual({ added: 0, updated: 0, removed: 0, total: 0 });
  expect(log).toEqual(['stop by hand true', 'want force', 'sync']);
});

test('a sync connects first where there is no connection, and says why there is none', async () => {
  const { control, log, become } = open();
  await control.sync(() => []);
  expect(log).toEqual(['want force urgent']);
  become({ name: 'idle' }, { name: 'failed', reason: 'no such command' });
  await expect(control.sync(() => [])).rejects.toThrow(
    new GatewayError('UPSTREAM_NOT_CONNECTED', 'up is failed: no such command', { upstream: 'up' }),
  );
});

test.each([
  ['needs-auth', true, ['want force urgent']],
  ['ready', true, ['credentials']],
  ['needs-auth', false, []],
] as const)('credentials change while it is %s; they are of use: %s', async (name, isUsable, log) => {
  const opened = open({ isUsable });
  opened.become({ name } as Partial<ConnectionState>);
  await opened.control.onCredentialsChanged();
  expect(opened.log).toEqual(log);
});
