import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';

export type Milestone = 'load' | 'networkIdle';

/** Follows how far the documents of a page have come, from one navigation on. */
export class Lifecycle {
  readonly #stop: () => void;
  /** Milestones of the documents of the main frame, by their loader, oldest first. */
  readonly #reached = new Map<string, Set<string>>();
  readonly #mainFrame: string;
  #loader: string | undefined;
  #hasCommitted = false;
  #onEvent: () => void = () => undefined;

  /** @param mainFrame id of the page's own frame */
  constructor(session: CdpSession, mainFrame: string) {
    this.#mainFrame = mainFrame;
    this.#stop = session.on('Page.lifecycleEvent', (event) => this.#note(event));
    // A page that has crashed answers only once there is a new document, and its navigation fails where this does.
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }).catch(() => undefined);
  }

  /** True once the navigation has come to a document. */
  get hasCommitted(): boolean {
    return this.#hasCommitted;
  }

  /** @param loader `undefined` if the document is the same as before */
  onCommit(loader: string | undefined): void {
    this.#hasCommitted = true;
    this.#loader = loader;
  }

  /** Resolves once the newest document has come so far: the page may go on to another address by itself. @throws the reason of `signal` */
  async reached(milestone: Milestone, signal: AbortSignal): Promise<void> {
    const isReached = () => this.#newest()?.has(milestone) === true;
    const waiting = new Promise<void>((resolve) => {
      this.#onEvent = () => isReached() && resolve();
      this.#onEvent();
    });
    await unlessAborted(waiting, signal);
  }

  stop(): void {
    this.#stop();
  }

  #note({ frameId, loaderId, name }: Protocol.Page.LifecycleEventEvent): void {
    if (frameId !== this.#mainFrame) return;
    const known = this.#reached.get(loaderId) ?? new Set();
    this.#reached.set(loaderId, known.add(name));
    this.#onEvent();
  }

  /** `undefined` while the document of the navigation itself has not been heard of. */
  #newest(): ReadonlySet<string> | undefined {
    if (this.#loader !== undefined && !this.#reached.has(this.#loader)) return undefined;
    return [...this.#reached.values()].at(-1);
  }
}
