import type { ClientRequest } from './journal/client-requests.ts';
import type { Line } from './lines/line.ts';
import { headOf } from './lines/message-head.ts';

/** The time in which another gateway must answer `initialize`, in milliseconds. */
const OPENING_MS = 10_000;

/** The opening of a client's session in another gateway: its `initialize` is sent again. */
export class SessionOpening {
  readonly #id: string;
  readonly #onAnswer: (answer: Line) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(
    { id }: ClientRequest,
    { onAnswer, onTimeout }: { readonly onAnswer: (answer: Line) => void; readonly onTimeout: () => void },
  ) {
    this.#id = id;
    this.#onAnswer = onAnswer;
    this.#timer = setTimeout(onTimeout, OPENING_MS);
  }

  /** Takes the answer to the request: the client has had one. Returns false for any other line. */
  takes(line: Line): boolean {
    const { id, method } = headOf(line);
    if (method !== undefined || id !== this.#id) return false;
    this.cancel();
    this.#onAnswer(line);
    return true;
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
