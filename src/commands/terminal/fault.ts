import { EXIT } from './exit-codes.ts';
import { faultText } from './fault-text.ts';

/** Time for processes to end on signals; after it, the reaper ends the rest. */
const LIMIT_MS = 10_000;

export interface FaultOptions {
  readonly log: { fatal(fields: object, message: string): void };
  /** Ends everything in order. */
  readonly stop: () => Promise<void>;
  readonly exit?: (code: number) => void;
  readonly limitMs?: number;
}

/**
 * Returns the handler of an exception or a rejection that nothing has caught. That is a fault of ours, after which the state of
 * the program is unknown: the handler logs it, ends everything in order, and then ends the process in bounded time.
 */
export function faultEnding({ log, stop, exit = (code) => process.exit(code), limitMs = LIMIT_MS }: FaultOptions) {
  let isEnding = false;
  return (error: unknown): void => {
    if (isEnding) return;
    isEnding = true;
    // Also if other code ends the process when all has stopped.
    process.exitCode = EXIT.fault;
    const end = () => exit(EXIT.fault);
    setTimeout(end, limitMs);
    try {
      log.fatal({ event: 'fault', fault: faultText(error) }, 'a fault of the gateway that nothing has caught: it ends');
    } catch {
      // The fault may be in the log.
    }
    Promise.resolve().then(stop).then(end, end);
  };
}

/** Makes a fault end everything in order, and the process with `EXIT.fault`. */
export function onFault(options: FaultOptions): void {
  const end = faultEnding(options);
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
