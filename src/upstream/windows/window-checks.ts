import { coalesce } from '../../core/timing/coalesce.ts';
import type { TransportContext } from '../transports/transport.ts';
import type { IdeWindow, PortFinding } from './find-windows.ts';

/** Asks single windows what they have open, one question at a time for each, however many calls wait for it. */
export class WindowChecks {
  readonly #ms: number;
  readonly #context: Pick<TransportContext, 'env' | 'log'>;
  readonly #asking = new Map<number, () => Promise<PortFinding>>();

  /** @param ms how long a window may take for an answer */
  constructor(ms: number, context: Pick<TransportContext, 'env' | 'log'>) {
    this.#ms = ms;
    this.#context = context;
  }

  /** Asks the window on this port; `undefined` if nothing has come by `deadline`. */
  async ask(port: number, deadline: number): Promise<PortFinding | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), deadline - Date.now());
    });
    try {
      return await Promise.race([this.#questionTo(port)(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  #questionTo(port: number): () => Promise<PortFinding> {
    const known = this.#asking.get(port);
    if (known !== undefined) return known;
    const ask = coalesce(async () => (await import('./find-windows.ts')).lookAtPort(port, this.#ms, this.#context));
    this.#asking.set(port, ask);
    return ask;
  }
}

/** Returns true if two searches have found the same window with the same folder. */
export function isSameWindow(one: IdeWindow, other: IdeWindow): boolean {
  return one.url === other.url && one.dialect === other.dialect && one.workspace === other.workspace;
}
