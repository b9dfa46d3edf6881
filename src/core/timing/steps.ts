import { LoopTurn } from './loop-turn.ts';

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
  const turn = new LoopTurn();
  for (let isOver = turn.isOver; ; isOver = turn.isOver) {
    if (isOver) await turn.next();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
