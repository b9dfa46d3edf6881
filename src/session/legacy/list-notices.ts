import type { EntryKind } from '../../core/providers/provider.ts';
import type { Throttle } from '../../core/timing/throttle.ts';
import type { Bytes } from '../../wire/bytes.ts';
import type { Reply } from '../../wire/reply.ts';
import { LIST_OF, type ListName, listNotices } from '../notices.ts';

/** Tells a legacy client of changed lists. A change that is in an answer on its way is not told besides. */
export class ListNotices {
  readonly #output: (bytes: Bytes) => void;
  /** Made when first needed: a session for one request hears about no change. */
  #notices: Readonly<Record<ListName, Throttle>> | undefined;
  /** For each kind, how many requests wait until its list is known. */
  readonly #waiting: Record<EntryKind, number> = { tool: 0, prompt: 0, resource: 0, template: 0 };

  /** @param output sends a notification to the client */
  constructor(output: (bytes: Bytes) => void) {
    this.#output = output;
  }

  /** Tells the client that lists have changed, unless it waits for them. */
  onChange(kinds: ReadonlySet<EntryKind>): void {
    const news = [...kinds].filter((kind) => this.#waiting[kind] === 0);
    if (news.length === 0) return;
    this.#notices ??= this.#makeNotices();
    for (const list of new Set(news.map((kind) => LIST_OF[kind]))) this.#notices[list].request();
  }

  /**
   * Waits until a list is known, then answers a request for it. A change before that is in the answer and needs no notice;
   * from the moment on at which `answer` is called, changes are told again.
   */
  async answer(kind: EntryKind, whenKnown: Promise<void>, answer: () => Reply): Promise<Reply> {
    this.#waiting[kind]++;
    try {
      await whenKnown;
    } finally {
      this.#waiting[kind]--;
    }
    return answer();
  }

  /** Tells nothing any more that waits for its turn. */
  cancel(): void {
    for (const notice of Object.values(this.#notices ?? {})) notice.cancel();
  }

  #makeNotices(): Readonly<Record<ListName, Throttle>> {
    return listNotices((list) => this.#output(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`));
  }
}
