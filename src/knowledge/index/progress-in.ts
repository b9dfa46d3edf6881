import type { IndexProgress } from './knowledge.ts';

/** Returns the progress that the holder of a run has told last; `undefined` if it has told none. */
export function progressIn(text: string | undefined): IndexProgress | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as IndexProgress);
}
