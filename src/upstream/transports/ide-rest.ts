import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Bytes, jsonBytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { ownId } from '../../wire/ids.ts';
import { lastMember, stringAt } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage, readMessage } from '../../wire/message.ts';
import { errorReply, madeReply, type Reply } from '../../wire/reply.ts';
import { type HttpEndpoint, openEndpoint } from './http/endpoint.ts';
import { http } from './http.ts';
import type { IdeAnswer } from './ide-rest/ask-ide.ts';
import { factsIn, toolResult, toolsIn } from './ide-rest/dialect.ts';
import { findDialect } from './ide-rest/find-dialect.ts';
import { IdeQuestions } from './ide-rest/ide-questions.ts';
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

/** The protocol version that the dialect claims: it offers what this revision has. */
const PROTOCOL_VERSION = '2024-11-05';
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

class IdeRestTransport implements Transport {
  readonly pid = undefined;
  readonly #events: TransportEvents;
  readonly #log: Log;
  readonly #endpoint: HttpEndpoint;
  readonly #questions: IdeQuestions;
  readonly #poll: ListPoll;
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
  }

  get queuedBytes(): number {
    return this.#questions.unsentBytes;
  }

  send(frame: Bytes): void {
    if (this.#isClosed) return;
    const message = readMessage(Frame.of(toBuffer(frame)));
    if (message.kind === 'request') this.#request(message);
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

  #request(message: RequestMessage): void {
    const id = ownId(message.id);
    if (id === undefined) return;
    switch (message.method) {
      case 'initialize':
        this.#ask(id, 'initialize', undefined, (answer) => this.#answer(id, greeting(answer)));
        break;
      case 'ping':
        this.#ask(id, 'list_tools', undefined, () => this.#answer(id, madeReply('result', '{}')));
        break;
      case 'tools/list':
        this.#ask(id, 'list_tools', undefined, (answer) => this.#onList(id, answer));
        break;
      case 'tools/call':
        this.#call(id, message);
        break;
      default: {
        const reply = errorReply({ code: -32601, message: `Method not found: ${message.method}` });
        // Only after `send` has returned: the sender may not be ready for a response yet.
        queueMicrotask(() => this.#answer(id, reply));
      }
    }
  }

  #notify(message: NotificationMessage): void {
    if (message.method === 'notifications/initialized') this.#poll.start();
    if (message.method !== 'notifications/cancelled') return;
    const requestId = lastMember(paramsOf(message), 'requestId');
    const id = requestId === undefined ? undefined : ownId(message.frame.raw(requestId));
    // The dialect has no word for it; a plug-in may notice that nobody listens.
    if (id !== undefined) this.onSettled(id);
  }

  #call(id: number, message: RequestMessage): void {
    const { text } = message.frame;
    const params = paramsOf(message);
    const name = stringAt(text, lastMember(params, 'name'));
    const path = name === undefined ? undefined : pathOf(name);
    if (path === undefined) {
      queueMicrotask(() => this.#answer(id, unknownTool(name ?? '')));
      return;
    }
    this.#poll.onUsed();
    const args = lastMember(params, 'arguments');
    const body = args === undefined ? Buffer.from('{}') : text.subarray(args.start, args.end);
    this.#ask(id, path, body, (answer) => this.#onResult(id, answer));
  }

  /** Asks for a request: `then` gets what was answered in JSON, or with a failure that is not that of the connection. */
  #ask(id: number, path: string, body: Buffer | undefined, then: (answer: IdeAnswer) => void): void {
    this.#questions.ask(id, path, body, (answer) => {
      if (answer.kind !== 'unreachable') then(answer);
      else {
        this.#fail(id, { code: 'UPSTREAM_NOT_CONNECTED', reason: answer.reason, effect: 'none' });
        this.#end(answer.reason);
      }
    });
  }

  #onList(id: number, answer: IdeAnswer): void {
    const list = listIn(answer);
    if (list === undefined) {
      this.#fail(id, failureIn(answer));
      return;
    }
    this.#poll.onRead(list);
    this.#answer(id, madeReply('result', [Buffer.from('{"tools":'), list, Buffer.from('}')]));
  }

  #onResult(id: number, answer: IdeAnswer): void {
    const result = answer.kind === 'json' ? toolResult(answer.frame, answer.status >= 400) : undefined;
    if (result === undefined) this.#fail(id, failureIn(answer));
    else this.#answer(id, madeReply('result', result));
  }

  /** Reads the list for the poll. A plug-in that is no longer there ends the connection. */
  async #readList(ms: number): Promise<Buffer | undefined> {
    const answer = await this.#questions.askOwn('list_tools', ms);
    if (answer?.kind === 'unreachable') this.#end(answer.reason);
    return answer === undefined ? undefined : listIn(answer);
  }

  #answer(id: number, reply: Reply): void {
    this.#deliver(toBuffer(reply.withId(String(id))));
  }

  #deliver(text: Buffer): void {
    if (!this.#isClosed) this.#events.onFrame(Frame.of(text));
  }

  #fail(id: number, failure: RequestFailure): void {
    this.#log.debug({ ...failure }, 'a request was not answered');
    if (!this.#isClosed) this.#events.onRequestFailed(id, failure);
  }

  /** The connection is over, though nobody asked for it. */
  #end(reason: string): void {
    if (this.#isClosed) return;
    void this.close();
    this.#events.onClosed(reason);
  }
}

/** Returns the response to `initialize`. It names the server as the plug-in does; JetBrains' plug-ins give no name. */
function greeting(answer: IdeAnswer): Reply {
  const { serverInfo = { name: 'ide-rest', version: 'unknown' } } = answer.kind === 'json' ? factsIn(answer.frame) : {};
  const result = { protocolVersion: PROTOCOL_VERSION, capabilities: { tools: { listChanged: true } }, serverInfo };
  return madeReply('result', jsonBytes(result));
}

function unknownTool(name: string): Reply {
  const text = `Unknown tool: ${name}`;
  return madeReply('result', jsonBytes({ content: [{ type: 'text', text }], isError: true }));
}

/** Returns the last part of a tool's path; none for a name that would lead elsewhere, or cannot be written. */
function pathOf(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) return undefined;
  return encodeURIComponent(name);
}

function listIn(answer: IdeAnswer): Buffer | undefined {
  if (answer.kind !== 'json' || answer.status >= 300) return undefined;
  const span = toolsIn(answer.frame);
  return span === undefined ? undefined : answer.frame.text.subarray(span.start, span.end);
}

function failureIn(answer: IdeAnswer): RequestFailure {
  if (answer.kind === 'failed') return answer.failure;
  const status = answer.kind === 'json' ? answer.status : 0;
  const reason = `invalid answer: HTTP ${status} and neither "status" nor "error"`;
  return { code: 'UPSTREAM_INVALID_ANSWER', reason, effect: 'unknown', status };
}
