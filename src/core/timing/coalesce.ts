/**
 * Makes a function that runs `operation` one at a time. A request that comes while it runs causes one more run after
 * it, however many requests come: joining the run under way would miss what changed since it began. The promise given
 * for a request settles as the run that began after it.
 */
export function coalesce<T>(operation: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const run = operation();
    running = run;
    const clear = () => {
      if (running === run) running = undefined;
    };
    run.then(clear, clear);
    return run;
  };
  return () => {
    // The one that is due has not begun: it serves this request too, even if the one before has just ended.
    if (next !== undefined) return next;
    if (running === undefined) return begin();
    next = running.then(begin, begin);
    return next;
  };
}
