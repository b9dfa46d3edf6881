import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FilterGround, honouredFilter } from '../../../../src/session/modern/honoured-filter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WATCHER = { sessionId: 's', clientId: 'c', principal: 'p' };

/** A gateway that knows all resources but "unknown", and all tasks but those; upstreams agree when the test says so. */
function ground() {
  const asked = new Map<string, (isAgreed: boolean) => void>();
  const answerTo = (name: string) => new Promise<boolean>((resolve) => asked.set(name, resolve));
  const watchers: unknown[] = [];
  const tasks = {
    watch: (ownName: string, watcher: unknown) => {
      watchers.push(watcher);
      return answerTo(ownName);
    },
  };
  const routes: Record<string, unknown> = { unknown: undefined, taskless: { provider: {}, ownName: 'taskless' } };
  const given = {
    catalogue: {
      finder: {
        findResource: (uri: string) => (uri === 'unknown' ? [] : [{}]),
        findTask: (id: string) => (id in routes ? routes[id] : { provider: { tasks }, ownName: `own ${id}` }),
      },
    },
    subscriptions: { subscribe: answerTo },
    watcher: WATCHER,
  } as unknown as FilterGround;
  return { given, asked, watchers };
}

test('lists are told of at once, as far as the client asks for them', () => {
  const { given, asked } = ground();
  expect(honouredFilter({ toolsListChanged: true, promptsListChanged: false }, given)).toEqual({
    toolsListChanged: true,
  });
  expect(asked.size).toBe(0);
});

test('of resources those are told of that are known and to which their upstreams agree', async () => {
  const { given, asked } = ground();
  const honoured = honouredFilter(
    { toolsListChanged: true, resourceSubscriptions: ['refused', 'a', 'unknown', 'b'] },
    given,
  );
  for (const [uri, answer] of asked) answer(uri !== 'refused');
  expect(await honoured).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a', 'b'] });
  expect([[...asked.keys()], vi.getTimerCount()]).toEqual([['refused', 'a', 'b'], 0]);
});

test('a resource to which nobody agrees in five seconds is left out, and keeps no other waiting for longer', async () => {
  const { given, asked } = ground();
  let filter: unknown;
  void Promise.resolve(honouredFilter({ resourceSubscriptions: ['silent', 'a'] }, given)).then((honoured) => {
    filter = honoured;
  });
  asked.get('a')!(true);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(filter).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(filter).toEqual({ resourceSubscriptions: ['a'] });
});

test('of tasks those are told of that their providers watch', async () => {
  const { given, asked, watchers } = ground();
  const honoured = honouredFilter({ taskIds: ['no', 'unknown', 'a', 'taskless'] }, given);
  for (const [name, answer] of asked) answer(name === 'own a');
  expect(await honoured).toEqual({ taskIds: ['a'] });
  expect(watchers).toEqual([WATCHER, WATCHER]);
});
