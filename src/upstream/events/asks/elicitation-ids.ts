import { jsonBytes } from '../../../wire/bytes.ts';
import { edit } from '../../../wire/edits/call-text.ts';
import type { Edit, Frame } from '../../../wire/frame.ts';
import { elementsOf, lastMember, membersOf, rawText, stringAt, typeOfByte } from '../../../wire/lens.ts';
import { edited, type NotificationMessage, paramsOf, type RequestMessage } from '../../../wire/message.ts';
import { errorReply, openReply, type Reply, withEdits } from '../../../wire/reply.ts';
import type { Span } from '../../../wire/scanning/outline.ts';
import type { ToldIds } from './told-ids.ts';

/** "The user must visit a URL first" (2025-11-25, "URL Elicitation Required Error"). */
const URL_REQUIRED = '-32042';
const KEPT = 1_024;
/** Characters of an id. Ids are kept, also those of clients that never visit the URL. */
export const MAX_ID_LENGTH = 1_024;
/** Elicitations in one error. All of them are for one user to visit. */
const MAX_IN_ERROR = 100;

/** Several clients were told the same id: a completion is none of theirs. */
const SEVERAL = Symbol('several clients');

export interface ElicitationIdsOptions {
  readonly upstream: string;
  /** Shared by all upstreams. */
  readonly told: ToldIds;
  /** Returns whether this is a client that hears about completions: those of 2026-07-28 know neither them nor such ids. */
  readonly isTold: (sessionId: string) => boolean;
}

/**
 * The ids by which an upstream speaks of elicitations by URL (2025-11-25): no two upstreams ever have the same one at a
 * client, and who was told one hears when it is completed.
 */
export class ElicitationIds {
  readonly #options: ElicitationIdsOptions;
  /** The sessions that were told, by the upstream's own ids. */
  readonly #toldTo = new Map<string, string | typeof SEVERAL>();

  constructor(options: ElicitationIdsOptions) {
    this.#options = options;
  }

  /** Returns a question as this client gets it. */
  question(message: RequestMessage, sessionId: string): RequestMessage {
    const span = idOf(message);
    return span === undefined ? message : edited(message, this.#edits(message.frame, [span], sessionId));
  }

  /** The client has this question of the upstream. */
  onAsked(message: RequestMessage, sessionId: string): void {
    const id = stringAt(message.frame.text, idOf(message));
    if (id !== undefined) this.#remember(id, sessionId);
  }

  /** Says why this question is not passed on: its id is too long to be kept. `undefined` for all other questions. */
  problemOf(message: RequestMessage): string | undefined {
    return problemOf(stringAt(message.frame.text, idOf(message)));
  }

  /**
   * The answer to a client's call as the client gets it; of the elicitations that it names that client hears. An error
   * of the gateway where it has too many of them, or an id that is too long.
   */
  answer(reply: Reply, sessionId: string): Reply {
    if (reply.outcome !== 'error') return reply;
    const source = openReply(reply);
    const spans = idsInError(source.frame, source.body);
    const problem = problemIn(source.frame, spans);
    if (problem !== undefined) {
      const message = `${this.#options.upstream}: invalid answer: ${problem}`;
      return errorReply({ code: -32603, message });
    }
    for (const span of spans) this.#remember(stringAt(source.frame.text, span)!, sessionId);
    return withEdits(reply, source, this.#edits(source.frame, spans, sessionId));
  }

  /** Returns a completion as its client gets it; `undefined` if it is not known whose it is. */
  completion(
    message: NotificationMessage,
  ): { readonly sessionId: string; readonly message: NotificationMessage } | undefined {
    const span = lastMember(paramsOf(message), 'elicitationId');
    const id = stringAt(message.frame.text, span);
    const sessionId = id === undefined ? undefined : this.#toldTo.get(id);
    if (sessionId === undefined || sessionId === SEVERAL) return undefined;
    return { sessionId, message: edited(message, this.#edits(message.frame, [span!], sessionId)) };
  }

  onSessionEnded(sessionId: string): void {
    this.#options.told.forget(sessionId);
    // No other client may hear about it, even if the upstream uses the id again.
    for (const [id, owner] of this.#toldTo) if (owner === sessionId) this.#toldTo.set(id, SEVERAL);
  }

  #remember(id: string, sessionId: string): void {
    if (!this.#options.isTold(sessionId)) return;
    const before = this.#toldTo.get(id);
    this.#toldTo.delete(id);
    this.#toldTo.set(id, before === undefined || before === sessionId ? sessionId : SEVERAL);
    if (this.#toldTo.size > KEPT) this.#toldTo.delete(this.#toldTo.keys().next().value!);
  }

  /** Returns the edits that replace an upstream's ids by those that the client knows; none if they are the same. */
  #edits({ text }: Frame, spans: readonly Span[], sessionId: string): Edit[] {
    const { told, upstream, isTold } = this.#options;
    if (spans.length === 0 || !isTold(sessionId)) return [];
    return spans.flatMap((span) => {
      const ownId = stringAt(text, span)!;
      const publicId = told.tell(sessionId, { upstream, ownId });
      return publicId === ownId ? [] : [edit(span, jsonBytes(publicId))];
    });
  }
}

function idOf(message: RequestMessage): Span | undefined {
  if (message.method !== 'elicitation/create') return undefined;
  const span = lastMember(paramsOf(message), 'elicitationId');
  return stringAt(message.frame.text, span) === undefined ? undefined : span;
}

/** Returns where the ids are in an error that sends its user to URLs. */
function idsInError({ text }: Frame, body: Span): Span[] {
  const error = membersIn(text, body);
  const code = lastMember(error, 'code');
  if (code === undefined || rawText(text, code) !== URL_REQUIRED) return [];
  const list = lastMember(membersIn(text, lastMember(error, 'data')), 'elicitations');
  if (list === undefined || typeOfByte(text[list.start]) !== 'array') return [];
  return elementsOf(text, list, MAX_IN_ERROR + 1).flatMap((element) => {
    const span = lastMember(membersIn(text, element), 'elicitationId');
    return stringAt(text, span) === undefined ? [] : [span!];
  });
}

function problemIn({ text }: Frame, spans: readonly Span[]): string | undefined {
  if (spans.length > MAX_IN_ERROR) return `its error names more than ${MAX_IN_ERROR} elicitations`;
  for (const span of spans) {
    const problem = problemOf(stringAt(text, span));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(id: string | undefined): string | undefined {
  if (id === undefined || id.length <= MAX_ID_LENGTH) return undefined;
  return `its elicitationId has ${id.length} characters; at most ${MAX_ID_LENGTH} are allowed`;
}

function membersIn(text: Buffer, span: Span | undefined) {
  return span !== undefined && typeOfByte(text[span.start]) === 'object' ? membersOf(text, span) : [];
}
