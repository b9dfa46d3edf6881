import type { ClientDirectory } from '../../core/providers/provider.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { edit } from '../../wire/edits/call-text.ts';
import { lastMember } from '../../wire/lens.ts';
import { edited, type NotificationMessage, paramsOf } from '../../wire/message.ts';
import type { Span } from '../../wire/scanning/outline.ts';

const MAX_TOKENS = 1_000;

interface ProgressTarget {
  readonly sessionId: string;
  /** The client's token, as it spelt it. */
  readonly token: ByteString;
  readonly ownTaskId: string;
}

/**
 * Progress of calls that were answered with a task: the token of such a call stays good while the task runs (2025-11-25,
 * "Task Progress Notifications").
 */
export class LateProgress {
  readonly #directory: ClientDirectory;
  /** The targets, by the token that the upstream was given, which is the id of the call. */
  readonly #places = new Map<number, ProgressTarget>();

  constructor(directory: ClientDirectory) {
    this.#directory = directory;
  }

  /** Progress of the call with this id may come until its task is over. */
  expect(id: number, place: ProgressTarget): void {
    this.#places.set(id, place);
    if (this.#places.size > MAX_TOKENS) this.#places.delete(this.#places.keys().next().value!);
  }

  /** The task is over. */
  onTaskEnded(ownTaskId: string): void {
    this.#forget((place) => place.ownTaskId === ownTaskId);
  }

  onSessionEnded(sessionId: string): void {
    this.#forget((place) => place.sessionId === sessionId);
  }

  clear(): void {
    this.#places.clear();
  }

  isExpected(id: number): boolean {
    return this.#places.has(id);
  }

  /** Passes it on under the client's own token, which replaces the one in `token`. */
  pass(id: number, message: NotificationMessage, token: Span): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#directory.get(place.sessionId)?.onTaskChanged(edited(message, [edit(token, place.token)]));
  }

  #forget(isOver: (place: ProgressTarget) => boolean): void {
    for (const [id, place] of this.#places) if (isOver(place)) this.#places.delete(id);
  }
}

/** Returns where the token of a notification of progress stands. */
export function progressToken(message: NotificationMessage): Span | undefined {
  return lastMember(paramsOf(message), 'progressToken');
}
