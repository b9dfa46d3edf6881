import { vi } from 'vitest';
import { LIST_TURN } from '../../../src/upstream/lists/read-list.ts';

/** Fakes the timers. Turns of the event loop end in real time, so none is over for those who go by fake time. */
export function fakeTime(): void {
  vi.useFakeTimers();
  vi.spyOn(LIST_TURN, 'isOver', 'get').mockReturnValue(false);
}

/** Ends what `fakeTime` began. */
export function realTime(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
}
