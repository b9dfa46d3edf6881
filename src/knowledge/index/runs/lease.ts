import { setTimeout as pause } from 'node:timers/promises';
import { isGone } from '../../../core/processes/owner.ts';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { IndexProgress } from '../knowledge.ts';
import { progressIn } from '../progress-in.ts';

/** The interval at which the holder renews the lease. */
const SIGN_MS = 1_000;
/** The interval at which to look whether another gateway's run has ended. */
const LOOK_MS = 200;

export interface Lease {
  /** Aborted when the run was taken away. */
  readonly signal: AbortSignal;
  tell(progress: IndexProgress): void;
  end(): Promise<void>;
}

/** Takes the run of a space for this gateway; `undefined` if another one has it. */
export async function takeLease(store: KnowledgeStore, space: number, owner: string): Promise<Lease | undefined> {
  if (!(await store.runs.take(space, owner, isGone))) return undefined;
  const lost = new AbortController();
  let progress = '';
  const sign = () =>
    store.runs.keep(space, owner, progress).then(
      (isKept) => isKept || lost.abort(new Error('another gateway has taken over this run')),
      // The database is busy or away: what writes to it next says so.
      () => undefined,
    );
  const timer = setInterval(sign, SIGN_MS).unref();
  return {
    signal: lost.signal,
    tell: (told) => {
      progress = JSON.stringify(told);
    },
    end: async () => {
      clearInterval(timer);
      await store.runs.end(space, owner);
    },
  };
}

/** Waits until no other gateway has the run of a space. @throws the reason of `signal` */
export async function untilFree(
  store: KnowledgeStore,
  id: string,
  signal: AbortSignal,
  onProgress: (progress: IndexProgress) => void,
): Promise<void> {
  for (;;) {
    const space = await store.spaces.byId(id);
    if (space?.runOwner === undefined || isGone(space.runOwner, space.runAtMs)) return;
    const progress = progressIn(space.runProgress);
    if (progress !== undefined) onProgress(progress);
    await pause(LOOK_MS, undefined, { signal });
  }
}
