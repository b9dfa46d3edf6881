import { expect, test } from 'vitest';
import { StoreWatch } from '../../../../src/gateway/providers/store-watch.ts';

function setUp() {
  const events: string[] = [];
  const store = (name: string) => {
    const listeners = new Set<() => void>();
    return {
      change: () => {
        for (const listener of listeners) listener();
      },
      watch(onChange: () => void) {
        listeners.add(onChange);
        return () => {
          events.push(`unwatch ${name}`);
          listeners.delete(onChange);
        };
      },
    };
  };
  const [pins, credentials] = [store('pins'), store('credentials')];
  const upstream = (id: string, failure?: Error) => ({
    id,
    onPinsChanged: () => void events.push(`pins ${id}`),
    onCredentialsChanged: async () => {
      events.push(`login ${id}`);
      if (failure !== undefined) throw failure;
    },
  });
  let warn: (facts: unknown) => void = () => undefined;
  const warned = new Promise((resolve) => {
    warn = resolve;
  });
  const watch = new StoreWatch({
    pins,
    credentials,
    upstreams: () => [upstream('a'), upstream('b', new Error('unreadable'))],
    log: { warn: (facts: unknown) => warn(facts) } as never,
  });
  return { watch, pins, credentials, events, warned };
}

test('all upstreams hear of pins and logins that change in the stores', async () => {
  const { watch, pins, credentials, events, warned } = setUp();
  pins.change();
  expect(events).toEqual([]);
  watch.start();
  pins.change();
  expect(events).toEqual(['pins a', 'pins b']);
  credentials.change();
  expect(events.slice(2)).toEqual(['login a', 'login b']);
  expect(await warned).toMatchObject({ upstream: 'b' });
});

test('an approval is told to its upstream only', () => {
  const { watch, events } = setUp();
  watch.onPinsChanged('b');
  expect(events).toEqual(['pins b']);
});

test('nothing is heard after the end', () => {
  const { watch, pins, credentials, events } = setUp();
  watch.start();
  watch.stop();
  pins.change();
  credentials.change();
  watch.stop();
  expect(events).toEqual(['unwatch pins', 'unwatch credentials']);
});
