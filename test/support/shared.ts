import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished } from 'vitest';

type End = () => void | Promise<void>;
export type AtEnd = (end: End) => void;

const scope = new AsyncLocalStorage<AtEnd>();

/** What is begun ends with the test, unless it is begun inside of `shared`. */
export const atEnd: AtEnd = (end) => (scope.getStore() ?? onTestFinished)(end);

/** What all tests of a describe or a file use: the first that asks starts it, after the last it ends. */
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
