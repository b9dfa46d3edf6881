import { jsonBytes } from '../../../wire/bytes.ts';
import { ownId } from '../../../wire/ids.ts';
import { lastMember, stringAt } from '../../../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../../../wire/message.ts';
import { errorReply, madeReply, type Reply } from '../../../wire/reply.ts';
import type { RequestFailure } from '../transport.ts';
import type { IdeAnswer } from './ask-ide.ts';
import { factsIn, toolResult, toolsIn } from './dialect.ts';
import type { IdeQuestions } from './ide-questions.ts';
import type { ListPoll } from './list-poll.ts';

/** The protocol version that the dialect claims: it offers what this revision has. */
const PROTOCOL_VERSION = '2024-11-05';

export interface IdeRequestsHost {
  onAnswer(id: number, reply: Reply): void;
  onFailed(id: number, failure: RequestFailure): void;
  /** The plug-in is no longer there. */
  onGone(reason: string): void;
}

export interface IdeRequestsParts {
  readonly questions: Pick<IdeQuestions, 'ask'>;
  /** Told when the list is read, and when a tool is called. */
  readonly poll: Pick<ListPoll, 'onRead' | 'onUsed'>;
}

/** Answers the requests of MCP with what a plug-in says in its own dialect. */
export class IdeRequests {
  readonly #parts: IdeRequestsParts;
  readonly #host: IdeRequestsHost;

  constructor(parts: IdeRequestsParts, host: IdeRequestsHost) {
    this.#parts = parts;
    this.#host = host;
  }

  /** Answers a request as a legacy MCP server would. */
  answer(message: RequestMessage): void {
    const id = ownId(message.id);
    if (id === undefined) return;
    switch (message.method) {
      case 'initialize':
        this.#ask(id, 'initialize', undefined, (answer) => this.#host.onAnswer(id, greeting(answer)));
        break;
      case 'ping':
        this.#ask(id, 'list_tools', undefined, () => this.#host.onAnswer(id, madeReply('result', '{}')));
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
        queueMicrotask(() => this.#host.onAnswer(id, reply));
      }
    }
  }

  #call(id: number, message: RequestMessage): void {
    const { text } = message.frame;
    const params = paramsOf(message);
    const name = stringAt(text, lastMember(params, 'name'));
    const path = name === undefined ? undefined : pathOf(name);
    if (path === undefined) {
      queueMicrotask(() => this.#host.onAnswer(id, unknownTool(name ?? '')));
      return;
    }
    this.#parts.poll.onUsed();
    const args = lastMember(params, 'arguments');
    const body = args === undefined ? Buffer.from('{}') : text.subarray(args.start, args.end);
    this.#ask(id, path, body, (answer) => this.#onResult(id, answer));
  }

  /** Asks for a request: `then` gets what was answered in JSON, or with a failure that is not that of the connection. */
  #ask(id: number, path: string, body: Buffer | undefined, then: (answer: IdeAnswer) => void): void {
    this.#parts.questions.ask(id, path, body, (answer) => {
      if (answer.kind !== 'unreachable') then(answer);
      else {
        this.#host.onFailed(id, { code: 'UPSTREAM_NOT_CONNECTED', reason: answer.reason, effect: 'none' });
        this.#host.onGone(answer.reason);
      }
    });
  }

  #onList(id: number, answer: IdeAnswer): void {
    const list = listIn(answer);
    if (list === undefined) {
      this.#host.onFailed(id, failureIn(answer));
      return;
    }
    this.#parts.poll.onRead(list);
    this.#host.onAnswer(id, madeReply('result', [Buffer.from('{"tools":'), list, Buffer.from('}')]));
  }

  #onResult(id: number, answer: IdeAnswer): void {
    const result = answer.kind === 'json' ? toolResult(answer.frame, answer.status >= 400) : undefined;
    if (result === undefined) this.#host.onFailed(id, failureIn(answer));
    else this.#host.onAnswer(id, madeReply('result', result));
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

/** Returns the array of tools; `undefined` if there is none in the answer. */
export function listIn(answer: IdeAnswer): Buffer | undefined {
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
