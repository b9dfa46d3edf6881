import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished } from 'vitest';

export type AtEnd = (end: () => void | Promise<void>) => void;

const scope = new AsyncLocalStorage<AtEnd>();

/** What was begun ends with the test, or, begun for several tests with `shared`, after the last of them. */
export const atEnd: AtEnd = (end) => (scope.getStore() ?? onTestFinished)(end);

/** What all tests of a describe or a file use: the first that asks starts it, after the last it ends. */
export function shared<T>(start: () => T | Promise<T>): () => Promise<T> {
  const ends: (() => void | Promise<void>)[] = [];
  let started: Promise<T> | undefined;
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () =>
    (started ??= scope.run(
      (end) => void ends.push(end),
      async () => start(),
    ));
}
