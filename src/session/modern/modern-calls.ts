import { TransientSet } from '../../core/collections/transient-set.ts';
import { toGatewayError } from '../../core/errors.ts';
import type { ClientFacts, RunningCall } from '../../core/providers/provider.ts';
import { type RetryParams, readRetry } from '../../era/input-required.ts';
import { severityOf } from '../../era/legacy/legacy.ts';
import { digestOf } from '../../era/request-state.ts';
import { declaresTasks, MODERN_TASK_METHODS, UNDECLARED } from '../../era/tasks.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { type CallText, readCallText } from '../../wire/edits/call-text.ts';
import { lastMember, stringAt } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage } from '../../wire/message.ts';
import { errorReply } from '../../wire/reply.ts';
import type { Exchange } from '../exchange.ts';
import { denialError, failureReply } from '../failure.ts';
import { ASKING_METHODS } from '../local/admitted-answer.ts';
import type { Denial } from '../local/call-quota.ts';
import { severityOfMessage } from '../log-filter.ts';
import type { OpenRequest } from '../open-requests.ts';
import { callInRule, sentRoots } from '../roots/sent-roots.ts';
import type { SessionHost } from '../session-host.ts';
import { CallInput } from './call-input.ts';
import type { ModernRequest } from './call-output.ts';
import { ModernCall, type ModernCallHost } from './modern-call.ts';
import { MODERN_PROVIDER_METHODS } from './modern-methods.ts';
import type { Parking } from './parking.ts';

export interface ModernCallsOptions {
  /** The id of the client. */
  readonly id: string;
  readonly host: SessionHost;
  /** The client is one program on a pipe, whose calls may stand for each other. */
  readonly isOneProgram: boolean;
  /** The id under which calls are counted; `undefined` if the client is unknown. */
  readonly payer: string | undefined;
}

const NO_RETRY: RetryParams = { requestState: undefined, responses: new Map() };

/** The calls of a modern client that have not ended, those that wait for input included. */
export class ModernCalls implements ModernCallHost {
  readonly #options: ModernCallsOptions;
  readonly #calls = new TransientSet<ModernCall>();
  #nextCall = 1;
  #isEnded = false;

  constructor(options: ModernCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** The number of calls that wait for an answer; parked ones do not. */
  get openCalls(): number {
    let open = 0;
    for (const call of this.#calls.values()) if (call.output.isOpen) open++;
    return open;
  }

  get parking(): Parking<CallInput> {
    return this.#options.host.parking;
  }

  /**
   * Returns why a request would be turned away now: calls are bounded, what the gateway answers itself is not. Nor is what a
   * call waits for that has its place already: where all places are taken by such, none would ever become free.
   */
  denialOf(message: RequestMessage): Denial | undefined {
    if (!MODERN_PROVIDER_METHODS.has(message.method) && !ASKING_METHODS.has(message.method)) return undefined;
    const denial = this.#options.host.quota.denial(this.#options.payer);
    return denial !== undefined && denial !== 'stopping' && this.#isOfParked(message) ? undefined : denial;
  }

  /** Takes the request of a call: begins the call, goes on with a parked one, or answers why neither can be. */
  onRequest(message: RequestMessage, client: ClientFacts, exchange: Exchange): OpenRequest | undefined {
    const isOfTask = MODERN_TASK_METHODS.has(message.method);
    if (isOfTask && !declaresTasks(client.capabilities)) {
      exchange.reply(errorReply(UNDECLARED).withId(message.id), 400);
      return undefined;
    }
    const text = readCallText(message);
    if ('problem' in text) return refuse(message, exchange, text.problem, text.isAmbiguous === true);
    // The answers to a task's questions are for its server.
    const retry = isOfTask ? NO_RETRY : readRetry(text);
    if ('problem' in retry) return refuse(message, exchange, retry.problem);
    const request: ModernRequest = { text, exchange, client };
    const { requestState: state } = retry;
    if (state === undefined || !this.parking.isOwn(state)) return this.#beginInRule(request);
    return this.#resume(state, request, retry);
  }

  /** Cancels all calls, parked ones too: the client has gone, and begins no other. */
  end(): void {
    this.#isEnded = true;
    for (const call of this.#calls.values()) call.cancel('"the client has disconnected"');
  }

  /** Returns the JSON of the server that results name. Asked for each time: the config may change. */
  serverInfo(): ByteString | undefined {
    return this.#options.host.serverInfoInResults();
  }

  route(text: CallText, call: ModernCall): RunningCall {
    return this.#options.host.router.call(text, call);
  }

  onCallEnded(call: ModernCall): void {
    this.#calls.delete(call);
    this.#options.host.quota.onCallEnded(this.#options.payer);
  }

  /** Goes on with a parked call, where the request may do that. */
  #resume(state: string, request: ModernRequest, retry: RetryParams): OpenRequest | undefined {
    const { message } = request.text;
    const refuseState = (problem: string) => {
      const error = { code: -32602, message: `Invalid params: ${problem}` };
      request.exchange.reply(errorReply(error).withId(message.id));
      return undefined;
    };
    const parked = this.parking.find(state, digestOf(identityOf(request.client), request.text));
    if (!(parked instanceof CallInput)) return refuseState(`"requestState" is not valid: ${parked.problem}`);
    const problem = parked.problemWith(message.frame.text, retry.responses);
    if (problem !== undefined) return refuseState(problem);
    parked.resume(request, retry.responses);
    return parked.call;
  }

  /** Begins a call; where it brings roots for its upstream, only those that its client may name. */
  #beginInRule(request: ModernRequest): OpenRequest | undefined {
    const { text, exchange, client } = request;
    const rule = client.folderRule;
    if (rule === undefined || sentRoots(text).length === 0) return this.#begin(request);
    let begun: OpenRequest | undefined;
    let isCancelled = false;
    callInRule(text, { rule, tell: (message) => tellIfWanted(request, message) }).then(
      (checked) => {
        if (!isCancelled) begun = this.#begin({ ...request, text: checked });
      },
      (error: unknown) => isCancelled || fail(request, toGatewayError(error)),
    );
    return {
      get isParked() {
        return begun?.isParked === true;
      },
      cancel: (reason) => {
        if (begun !== undefined) return begun.cancel(reason);
        if (!isCancelled) exchange.abandon();
        isCancelled = true;
      },
    };
  }

  #begin(request: ModernRequest): OpenRequest | undefined {
    const { id: clientId, isOneProgram, host, payer } = this.#options;
    // A call that goes on needs no place, but this one begins, even if it brings a state.
    const denial = this.#isEnded ? 'stopping' : host.quota.denial(payer);
    if (denial !== undefined) {
      fail(request, denialError(denial));
      return undefined;
    }
    const id = `${clientId}#${this.#nextCall++}`;
    const sessionId = isOneProgram ? clientId : id;
    const call = new ModernCall(request, { id, sessionId, identity: identityOf(request.client) }, this);
    this.#calls.add(call);
    host.quota.onCallBegun(payer);
    call.start();
    return call;
  }

  #isOfParked(message: RequestMessage): boolean {
    const state = stringAt(message.frame.text, lastMember(paramsOf(message), 'requestState'));
    return state !== undefined && this.parking.isOwn(state);
  }
}

/** Returns the owner of a parked call: names tell agents apart that share an endpoint, though nothing vouches for them. */
function identityOf({ clientId, clientInfo }: ClientFacts): string {
  return `${clientId} ${clientInfo ?? ''}`;
}

function refuse({ method, id }: RequestMessage, exchange: Exchange, problem: string, isAmbiguous = false): undefined {
  const error = isAmbiguous
    ? { code: -32600, message: `Invalid request for ${method}: ${problem}` }
    : { code: -32602, message: `Invalid params for ${method}: ${problem}` };
  exchange.reply(errorReply(error).withId(id));
}

function fail({ text, exchange }: ModernRequest, error: ReturnType<typeof toGatewayError>): void {
  exchange.reply(failureReply(text.message.method, error).withId(text.message.id));
}

function tellIfWanted({ client, exchange }: ModernRequest, message: NotificationMessage): void {
  const wanted = severityOf(client.logLevel);
  if (wanted !== -1 && severityOfMessage(message) >= wanted) exchange.sendIfRoom(message.frame.bytes());
}
