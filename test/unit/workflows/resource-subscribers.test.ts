import { expect, test } from 'vitest';
import type { Scope } from '../../../src/core/access/permissions.ts';
import type { Caller } from '../../../src/core/providers/provider.ts';
import { ResourceSubscribers } from '../../../src/workflows/resource-subscribers.ts';

const HIDDEN = { isWhole: false } as Scope;
const caller = (sessionId: string, scope?: Scope) => ({ sessionId, client: { scope } }) as unknown as Caller;

function setUp() {
  const told: string[] = [];
  const directory = {
    get: (id: string) => ({ onResourceUpdated: (uri: string) => void told.push(`${id} ${uri}`) }) as never,
  };
  const subscribers = new ResourceSubscribers(directory, (_uri, scope) => scope !== HIDDEN);
  return { subscribers, taken: () => told.splice(0) };
}

test('a change is told to those who want to hear of it, by the uri that they know', () => {
  const { subscribers, taken } = setUp();
  subscribers.add('x:1', caller('a'), 'x:1');
  subscribers.add('x:1', caller('b'), 'public:x:1');
  subscribers.add('x:2', caller('c'), 'x:2');
  subscribers.tell('x:1');
  expect(taken()).toEqual(['a x:1', 'b public:x:1']);
  subscribers.remove('x:1', 'a');
  subscribers.tell('x:1');
  expect(taken()).toEqual(['b public:x:1']);
  subscribers.forget('b');
  subscribers.tell('x:1');
  expect(taken()).toEqual([]);
});

test('a client that may not see the resource any more hears nothing', () => {
  const { subscribers, taken } = setUp();
  subscribers.add('x:1', caller('a', HIDDEN), 'x:1');
  subscribers.add('x:1', caller('b', { isWhole: true } as Scope), 'x:1');
  subscribers.tell('x:1');
  expect(taken()).toEqual(['b x:1']);
});
