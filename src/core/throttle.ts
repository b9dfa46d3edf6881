/**
 * Makes a function that acts at once on the first request, then at most once per `intervalMs`: a storm of requests
 * ends in one last action, none is forgotten.
 */
export function throttle(action: () => void, intervalMs: number): { request(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const act = () => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) act();
    }, intervalMs);
    timer.unref();
    action();
  };
  return {
    request() {
      if (timer === undefined) act();
      else again = true;
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
}
