import { GatewayError } from '../errors.ts';
import { askForRoots, declaresRoots, type RootsAsker } from '../providers/client-questions.ts';
import type { Caller } from '../providers/provider.ts';
import { unlessAborted } from '../timing/unless-aborted.ts';
import { ROOTS_BOUND } from './bounded-roots.ts';

/** A client that declares roots and does not tell them delays its calls by no more than this. */
const PATIENCE_MS = 3_000;
/** A question may get lost on the way. One that has had no answer for this long is asked again. */
const ASK_AGAIN_MS = 30_000;

type Folders = readonly string[];

/** One `roots/list` request on its way, for all calls of the client that wait for it. */
interface OpenQuestion {
  /** The client's folders; none if it refused, or has not answered in time. Never rejects. */
  readonly inTime: Promise<Folders>;
  readonly askedAt: number;
  readonly withdraw: AbortController;
}

/**
 * The folders of clients, by what they say are their roots. A legacy client is asked once for all its calls: the question
 * belongs to none of them, so a cancelled call ends alone. Only an answer is kept, however late it comes.
 */
export class ClientRoots {
  readonly #told = new Map<string, Folders>();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #onLeftOut: (reason: string) => void;

  /** `onLeftOut` is told when a client has more roots than are used. */
  constructor(onLeftOut: (reason: string) => void = () => undefined) {
    this.#onLeftOut = onLeftOut;
  }

  /**
   * Returns the folders among a client's roots, in the client's order; none if it has no roots, refuses to tell them, or
   * does not tell them in time.
   * @throws the reason of `signal` when that is aborted: the call must not go on
   */
  async of(caller: Caller, signal: AbortSignal): Promise<Folders> {
    signal.throwIfAborted();
    if (!declaresRoots(caller)) return [];
    // Modern requests tell everything again, and over HTTP nothing says which of them come from one client.
    if (caller.client.era === 'modern') return noneIfRefused(this.#foldersOf(caller, signal), signal);
    const { sessionId } = caller;
    return this.#told.get(sessionId) ?? unlessAborted(this.#questionTo(caller).inTime, signal);
  }

  /** Called when the client's roots have changed, or when it has gone. */
  forget(sessionId: string): void {
    this.#told.delete(sessionId);
    // The answer on its way may be from before the change: it is for those alone who wait for it.
    this.#open.delete(sessionId);
  }

  #foldersOf(caller: RootsAsker, signal: AbortSignal): Promise<Folders> {
    return askForRoots(caller, signal, (count) =>
      this.#onLeftOut(`${count} roots of the client ${caller.sessionId} are ignored: ${ROOTS_BOUND}`),
    );
  }

  #questionTo(caller: RootsAsker): OpenQuestion {
    const open = this.#open.get(caller.sessionId);
    if (open !== undefined && performance.now() - open.askedAt < ASK_AGAIN_MS) return open;
    open?.withdraw.abort();
    return this.#ask(caller);
  }

  #ask(caller: RootsAsker): OpenQuestion {
    const { sessionId } = caller;
    const withdraw = new AbortController();
    const answer = this.#foldersOf(caller, withdraw.signal);
    const question = { inTime: inTime(answer), askedAt: performance.now(), withdraw };
    this.#open.set(sessionId, question);
    const settle = (folders?: Folders) => {
      if (this.#open.get(sessionId) !== question) return;
      this.#open.delete(sessionId);
      if (folders !== undefined) this.#told.set(sessionId, folders);
    };
    answer.then(settle, () => settle());
    return question;
  }
}

/** Returns the answer, or no folders after a while; the question stays open. */
function inTime(answer: Promise<Folders>): Promise<Folders> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), PATIENCE_MS);
    void answer
      .catch(() => [])
      .then((folders) => {
        clearTimeout(timer);
        resolve(folders);
      });
  });
}

async function noneIfRefused(answer: Promise<Folders>, signal: AbortSignal): Promise<Folders> {
  try {
    return await answer;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GatewayError) return [];
    throw error;
  }
}
