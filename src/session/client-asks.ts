import { GatewayError } from '../core/errors.ts';
import type { ClientAsk, WithdrawAsk } from '../core/providers/provider.ts';
import { missingCapability } from '../era/capabilities.ts';
import { type Bytes, jsonBytes } from '../wire/bytes.ts';
import { edit, findProgressToken, sortedEdits } from '../wire/edits/call-text.ts';
import { checkEscapes } from '../wire/edits/escapes.ts';
import type { Edit } from '../wire/frame.ts';
import { firstId, ownId } from '../wire/ids.ts';
import { JsonTextError } from '../wire/json-error.ts';
import { lastMember } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage, type ResponseMessage } from '../wire/message.ts';
import { relayedReply } from '../wire/reply.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Requests to one client on behalf of upstreams, by the ids that this client sees. */
export class ClientAsks {
  readonly #open = new Map<number, ClientAsk>();
  #nextId = firstId();
  #hasEnded = false;

  /** Sends an ask to the client, if it has declared that it can answer such. */
  send(ask: ClientAsk, capabilities: Capabilities, output: (bytes: Bytes) => void): WithdrawAsk {
    if (this.#hasEnded) {
      ask.onFailure(gone());
      return () => undefined;
    }
    const missing = missingCapability(ask.message, capabilities);
    if (missing !== undefined) {
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', `The client does not support ${missing}`));
      return () => undefined;
    }
    const id = this.#nextId++;
    this.#open.set(id, ask);
    output(ask.message.frame.splice(editsFor(ask.message, id)));
    return (reason) => {
      if (!this.#open.delete(id)) return;
      const params = jsonBytes({ requestId: id, reason });
      output(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    };
  }

  /** The client's answer. Returns false for answers to nothing that is open. */
  onResponse(message: ResponseMessage): boolean {
    const id = ownId(message.id);
    const ask = id === undefined ? undefined : this.#open.get(id);
    if (ask === undefined || id === undefined) return false;
    this.#open.delete(id);
    const reply = answerIn(message);
    if ('problem' in reply)
      ask.onFailure(new GatewayError('INVALID_REQUEST', `The client's answer is invalid: ${reply.problem}`));
    else ask.onAnswer(reply);
    return true;
  }

  /** Progress of an ask; the token is ours. */
  onProgress(message: NotificationMessage): void {
    const token = lastMember(paramsOf(message), 'progressToken');
    const id = token === undefined ? undefined : ownId(message.frame.raw(token));
    if (token !== undefined && id !== undefined) this.#open.get(id)?.onProgress(message.frame, token);
  }

  /** The client has gone: no answer will come. */
  end(): void {
    this.#hasEnded = true;
    const asks = [...this.#open.values()];
    this.#open.clear();
    for (const ask of asks) ask.onFailure(gone());
  }
}

/** Returns the client's answer, as far as it is JSON. */
function answerIn(message: ResponseMessage): ReturnType<typeof relayedReply> {
  const { frame } = message;
  try {
    checkEscapes(frame.text, frame.outline);
    return relayedReply(message);
  } catch (error) {
    if (error instanceof JsonTextError) return { problem: error.message };
    throw error;
  }
}

function gone(): GatewayError {
  return new GatewayError('CALL_CANCELLED', 'The client has disconnected');
}

function editsFor(message: RequestMessage, id: number): readonly Edit[] {
  const edits = [edit(message.idSpan, String(id))];
  const token = findProgressToken(message.frame, paramsOf(message));
  if (token !== undefined) edits.push(edit(token, String(id)));
  return sortedEdits(edits);
}
