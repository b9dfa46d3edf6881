import { setImmediate as nextTurn } from 'node:timers/promises';

/** The time that long work takes at once, in milliseconds. */
const SLICE_MS = 5;

/** Long work that yields wherever other work may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does the work in slices of some milliseconds; the event loop does other work between them. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}
