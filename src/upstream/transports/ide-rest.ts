import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { ownId } from '../../wire/ids.ts';
import { lastMember } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, readMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';
import { type HttpEndpoint, openEndpoint } from './http/endpoint.ts';
import { http } from './http.ts';
import { findDialect } from './ide-rest/find-dialect.ts';
import { IdeQuestions } from './ide-rest/ide-questions.ts';
import { IdeRequests, type IdeRequestsHost, listIn } from './ide-rest/ide-requests.ts';
import { ListPoll } from './ide-rest/list-poll.ts';
import {
  defineTransport,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

/** An IDE that is busy starting does not answer at once; one that takes longer is tried again. */
const FIND_MS = 5_000;

const LIST_CHANGED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');

/**
 * The plug-in of an IDE (JetBrains, ggMCP for VS Code): its REST dialect, made to look like a legacy MCP server. The newer
 * version of the latter, which speaks JSON-RPC, is left to the transport `http`.
 */
export const ideRest = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    const endpoint = await openEndpoint(entry, context);
    const found = await findDialect(endpoint, Math.min(FIND_MS, entry.timeouts.connectMs));
    if (!('problem' in found) && found.name === 'rest') {
      return new IdeRestTransport({ ...entry, url: found.url }, endpoint, events, context);
    }
    endpoint.destroy();
    if ('problem' in found) throw new Error(found.reason);
    return http.open({ ...entry, type: 'http', url: found.url }, events, context);
  },
});

class IdeRestTransport implements Transport, IdeRequestsHost {
  readonly pid = undefined;
  readonly #events: TransportEvents;
  readonly #log: Log;
  readonly #endpoint: HttpEndpoint;
  readonly #questions: IdeQuestions;
  readonly #poll: ListPoll;
  readonly #requests: IdeRequests;
  #isClosed = false;

  constructor(entry: RemoteEntry, endpoint: HttpEndpoint, events: TransportEvents, context: TransportContext) {
    this.#events = events;
    this.#log = context.log;
    this.#endpoint = endpoint;
    this.#questions = new IdeQuestions({ endpoint, url: entry.url, limits: context });
    this.#poll = new ListPoll({
      read: () => this.#readList(entry.timeouts.listMs),
      onChanged: () => this.#deliver(LIST_CHANGED),
    });
    this.#requests = new IdeRequests({ questions: this.#questions, poll: this.#poll }, this);
  }

  get queuedBytes(): number {
    return this.#questions.unsentBytes;
  }

  send(frame: Bytes): void {
    if (this.#isClosed) return;
    const message = readMessage(Frame.of(toBuffer(frame)));
    if (message.kind === 'request') this.#requests.answer(message);
    else if (message.kind === 'notification') this.#notify(message);
    // Nothing else means anything to a plug-in: it asks nothing, so it gets no answers.
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#poll.stop();
    this.#questions.abortAll();
    this.#endpoint.destroy();
  }

  onSettled(id: number): void {
    this.#questions.abort(id);
  }

  #notify(message: NotificationMessage): void {
    if (message.method === 'notifications/initialized') this.#poll.start();
    if (message.method !== 'notifications/cancelled') return;
    const requestId = lastMember(paramsOf(message), 'requestId');
    const id = requestId === undefined ? undefined : ownId(message.frame.raw(requestId));
    // The dialect has no word for it; a plug-in may notice the missing listener.
    if (id !== undefined) this.onSettled(id);
  }

  /** Reads the list for the poll. A plug-in that is no longer there ends the connection. */
  async #readList(ms: number): Promise<Buffer | undefined> {
    const answer = await this.#questions.askOwn('list_tools', ms);
    if (answer?.kind === 'unreachable') this.onGone(answer.reason);
    return answer === undefined ? undefined : listIn(answer);
  }

  onAnswer(id: number, reply: Reply): void {
    this.#deliver(toBuffer(reply.withId(String(id))));
  }

  #deliver(text: Buffer): void {
    if (!this.#isClosed) this.#events.onFrame(Frame.of(text));
  }

  onFailed(id: number, failure: RequestFailure): void {
    this.#log.debug({ ...failure }, 'a request was not answered');
    if (!this.#isClosed) this.#events.onRequestFailed(id, failure);
  }

  /** The connection has closed, without having been asked to. */
  onGone(reason: string): void {
    if (this.#isClosed) return;
    void this.close();
    this.#events.onClosed(reason);
  }
}
