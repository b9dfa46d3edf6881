export interface ThrottleLimits {
  /** The number of actions that may follow each other at once after a quiet time. */
  readonly burst: number;
  /** The interval between actions while requests continue, in milliseconds. */
  readonly intervalMs: number;
}

export interface Throttle {
  request(): void;
  /** Forgets a request that waits for its turn. */
  cancel(): void;
}

/**
 * Makes a function that acts on requests at once while they are few, and within limits when they are many. A storm of
 * requests ends in one last action: none is forgotten.
 */
export function throttle(action: () => void, { burst, intervalMs }: ThrottleLimits): Throttle {
  let spent = 0;
  let paidAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const pay = () => {
    const now = performance.now();
    const periods = Math.floor((now - paidAt) / intervalMs);
    spent = Math.max(0, spent - periods);
    paidAt = spent === 0 ? now : paidAt + periods * intervalMs;
  };
  const act = () => {
    timer = undefined;
    spent++;
    action();
  };
  return {
    request() {
      if (timer !== undefined) return;
      pay();
      if (spent < burst) act();
      else {
        timer = setTimeout(
          () => {
            pay();
            act();
          },
          paidAt + intervalMs - performance.now(),
        );
        timer.unref();
      }
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
