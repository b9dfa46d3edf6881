/** The delay between two looks at the list, in milliseconds; longer each time that nothing has changed. */
const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 60_000;
const GROWTH = 1.5;
/** Part of a delay by which plug-ins that were found together are kept from being asked together. */
const JITTER = 0.2;

export interface ListPollHost {
  /** Reads the list; `undefined` if it is not answered. */
  read(): Promise<Buffer | undefined>;
  onChanged(): void;
}

/** Looks now and then whether a list is still the one that was read: a dialect that announces nothing leaves no other way. */
export class ListPoll {
  readonly #host: ListPollHost;
  #known: Buffer | undefined;
  #delayMs = FIRST_DELAY_MS;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(host: ListPollHost) {
    this.#host = host;
  }

  start(): void {
    this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Called when a client has read the list. */
  onRead(list: Buffer): void {
    this.#known = list;
  }

  /** Called when a client uses it: the list is then polled as often as at first. */
  onUsed(): void {
    if (this.#delayMs === FIRST_DELAY_MS || this.#timer === undefined) return;
    this.#delayMs = FIRST_DELAY_MS;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const jitter = 1 + JITTER * (Math.random() - 0.5);
    this.#timer = setTimeout(() => void this.#look(), this.#delayMs * jitter).unref();
  }

  async #look(): Promise<void> {
    const list = await this.#host.read();
    const isChanged = list !== undefined && this.#known?.equals(list) !== true;
    this.#delayMs = isChanged ? FIRST_DELAY_MS : Math.min(this.#delayMs * GROWTH, MAX_DELAY_MS);
    this.#arm();
    if (!isChanged || this.#isStopped) return;
    this.#known = list;
    this.#host.onChanged();
  }
}
