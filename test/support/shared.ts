import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished } from 'vitest';

type End = () => void | Promise<void>;
export type AtEnd = (end: End) => void;

const scope = new AsyncLocalStorage<AtEnd>();

/** Everything that is started ends with the test, unless it is started inside `shared`. */
export const atEnd: AtEnd = (end) => (scope.getStore() ?? onTestFinished)(end);

/** A resource that all tests of a describe or a file share: the first user starts it, and it ends after the last. */
export function shared<T>(start: () => T | Promise<T>): () => Promise<T> {
  const ends: End[] = [];
  let started: Promise<T> | undefined;
  afterAll(() => endAll(ends));
  return () => {
    started ??= scope.run(
      (end) => void ends.push(end),
      async () => start(),
    );
    return started;
  };
}

async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.reverse()) await end();
}
