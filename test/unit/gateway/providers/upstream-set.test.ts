import { expect, test } from 'vitest';
import type { RunningUpstream } from '../../../../src/gateway/providers/running-upstream.ts';
import { UpstreamSet } from '../../../../src/gateway/providers/upstream-set.ts';
import { parse } from '../../config/parse-text.ts';

const configOf = (upstreams: object) => parse(JSON.stringify({ schemaVersion: 1, upstreams }));

function setUp() {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const set = new UpstreamSet({
    masker: { mask: (text) => text.replaceAll('secret', '***') },
    log: { error: (facts: object) => events.push(`error ${(facts as { reason: string }).reason}`) } as never,
    factory: {
      create: ({ key }) =>
        ({
          id: key,
          start: () => events.push(`start ${key}`),
          onRulesChanged: () => events.push(`rules ${key}`),
          stop: (reason: string) => {
            events.push(`stop ${key}: ${reason}`);
            return new Promise<void>((resolve) => ends.set(key, resolve));
          },
        }) as unknown as RunningUpstream,
    },
  });
  const taken = () => events.splice(0);
  return { set, taken, ends, keys: () => set.upstreams().map(({ id }) => id) };
}

test('each entry is started once, and goes on while it stays the same', async () => {
  const { set, taken, keys } = setUp();
  await set.apply(configOf({ a: { command: 'x' }, b: { command: 'y' } }));
  expect(taken()).toEqual(['start a', 'start b']);
  const [first] = set.upstreams();
  await set.apply(configOf({ b: { command: 'y' }, a: { command: 'x' } }));
  expect(taken()).toEqual([]);
  expect(keys()).toEqual(['b', 'a']);
  expect(set.upstreams()[1]).toBe(first);
});

test('other rules are told to the upstream that runs, and only they', async () => {
  const { set, taken } = setUp();
  await set.apply(configOf({ a: { command: 'x' }, b: { command: 'y' } }));
  taken();
  await set.apply(configOf({ a: { command: 'x', prefix: 'other' }, b: { command: 'y' } }));
  expect(taken()).toEqual(['rules a']);
});

test('an entry that changes is replaced at once, and the change is over when the old one is gone', async () => {
  const { set, taken, keys, ends } = setUp();
  await set.apply(configOf({ a: { command: 'x' }, b: { command: 'y' } }));
  taken();
  let isOver = false;
  const applied = set.apply(configOf({ a: { command: 'z' } })).then(() => {
    isOver = true;
  });
  expect(taken()).toEqual([
    'start a',
    'stop a: its entry was changed or removed',
    'stop b: its entry was changed or removed',
  ]);
  expect(keys()).toEqual(['a']);
  ends.get('a')!();
  await Promise.resolve();
  expect(isOver).toBe(false);
  ends.get('b')!();
  await applied;
});

test('an entry with a fault is shown in its place, and its fault is logged once, without secrets', async () => {
  const { set, taken, keys } = setUp();
  const config = {
    ...configOf({ a: { command: 'x' } }),
    order: ['bad', 'a', 'off'],
    broken: [
      { key: 'bad', prefix: 'bad', isDisabled: false, issues: [{ message: 'a secret fault' }] },
      { key: 'off', prefix: 'off', isDisabled: true, issues: [] },
    ] as never,
  };
  await set.apply(config);
  expect(keys()).toEqual(['bad', 'a']);
  const [, failure] = taken();
  expect(failure).toContain('***');
  expect(failure).not.toContain('secret');
  await set.apply(config);
  expect(taken()).toEqual([]);
});

test('stopping ends every upstream and waits for all of them', async () => {
  const { set, taken, ends } = setUp();
  await set.apply(configOf({ a: { command: 'x' }, b: { command: 'y' } }));
  taken();
  let isOver = false;
  const stopped = set.stop('enough').then(() => {
    isOver = true;
  });
  expect(taken()).toEqual(['stop a: enough', 'stop b: enough']);
  ends.get('b')!();
  await Promise.resolve();
  expect(isOver).toBe(false);
  ends.get('a')!();
  await stopped;
});
