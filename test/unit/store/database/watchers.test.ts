import { expect, test } from 'vitest';
import type { Engine } from '../../../../src/store/database/engine.ts';
import { DatabaseWatchers, type Watcher } from '../../../../src/store/database/watchers.ts';

/** An engine that knows who watches it. */
function engine() {
  const watching: Watcher[] = [];
  const watch = (watcher: Watcher) => {
    watching.push(watcher);
    return () => void watching.splice(watching.indexOf(watcher), 1);
  };
  return { watching, engine: { watch } as Engine };
}

const one: Watcher = () => undefined;
const other: Watcher = () => undefined;

test('an engine is watched for each watcher, once', () => {
  const watchers = new DatabaseWatchers();
  const { watching, engine: open } = engine();
  watchers.add(one);
  watchers.attach(open);
  watchers.add(other);
  watchers.attach(open);
  expect(watching).toEqual([one, other]);
});

test('watchers go over to the next engine', () => {
  const watchers = new DatabaseWatchers();
  const [first, second] = [engine(), engine()];
  watchers.add(one);
  watchers.attach(first.engine);
  watchers.detach();
  expect(first.watching).toEqual([]);
  watchers.attach(second.engine);
  expect(second.watching).toEqual([one]);
});

test('a removed watcher watches no engine, and is not woken', () => {
  const watchers = new DatabaseWatchers();
  const { watching, engine: open } = engine();
  const woken: string[] = [];
  const removed = () => woken.push('removed');
  watchers.add(removed);
  watchers.add(() => woken.push('kept'));
  watchers.attach(open);
  watchers.remove(removed);
  watchers.wakeAll();
  expect([watching.length, woken]).toEqual([1, ['kept']]);
});

test('it is empty when the last watcher is removed', () => {
  const watchers = new DatabaseWatchers();
  expect(watchers.isEmpty).toBe(true);
  watchers.add(one);
  expect(watchers.isEmpty).toBe(false);
  watchers.remove(one);
  expect(watchers.isEmpty).toBe(true);
});
