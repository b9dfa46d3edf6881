/**
 * Returns the promise, or the signal's reason if the promise has not settled within `ms` milliseconds after the signal was
 * aborted. For work that ends by itself when its signal is aborted, and should say how, but may be stuck.
 */
export async function unlessOverdue<T>(promise: Promise<T>, signal: AbortSignal, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), ms);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, overdue]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
