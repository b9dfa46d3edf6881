import type { ClientGrant } from '../../core/access/client-grant.ts';
import type { Principal } from '../../core/access/principal.ts';
import { GatewayError, toGatewayError } from '../../core/errors.ts';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import { asObject } from '../../core/json/as-object.ts';
import { startFolder } from '../../core/providers/client-folder.ts';
import type { ClientFacts, ClientFolder } from '../../core/providers/provider.ts';
import { type PassedCapabilities, passedCapabilities } from '../../era/extensions.ts';
import type { ParameterHeader } from '../../era/http/parameter-headers.ts';
import { type RetryParams, readRetry } from '../../era/input-required.ts';
import { severityOf } from '../../era/legacy/legacy.ts';
import type { Envelope } from '../../era/modern/envelope.ts';
import { MODERN_ERRORS, MODERN_REVISION } from '../../era/modern/modern.ts';
import { readFilter } from '../../era/modern/subscription.ts';
import { digestOf } from '../../era/request-state.ts';
import { declaresTasks, MODERN_TASK_METHODS, UNDECLARED } from '../../era/tasks.ts';
import { type ByteString, parsedBytes } from '../../wire/bytes.ts';
import { readCallText } from '../../wire/edits/call-text.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { lastMember, stringAt, valueAt } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage } from '../../wire/message.ts';
import { type ErrorBody, errorReply, type Reply } from '../../wire/reply.ts';
import type { Exchange } from '../exchange.ts';
import { denialError, failureReply } from '../failure.ts';
import { ASKING_METHODS, admittedAnswer } from '../local/admitted-answer.ts';
import type { Denial } from '../local/call-quota.ts';
import { severityOfMessage } from '../log-filter.ts';
import type { OpenRequest } from '../open-requests.ts';
import { callInRule, sentRoots } from '../roots/sent-roots.ts';
import type { SessionHost } from '../session-host.ts';
import { Listener } from './listener.ts';
import { ModernCall, type ModernCallHost, type ModernRequest } from './modern-call.ts';
import { MODERN_LOCAL_METHODS, MODERN_PROVIDER_METHODS } from './modern-methods.ts';
import { toolHeadersOf } from './tool-headers.ts';

export interface ModernClientOptions extends ClientGrant {
  readonly id: string;
  readonly transport: string;
  /** One program on a pipe, whose calls may stand for each other; else anybody who reaches the endpoint. */
  readonly isOneProgram: boolean;
  /** Who it has proved to be, where it had to. */
  readonly principal?: Principal | undefined;
  /** Where the program was started, if that is known. */
  readonly folder?: string | undefined;
  /** Number of agents, started by gateways, between the program and the user. */
  readonly depth?: number | undefined;
  /** Which folders its clients may name; `undefined` for programs of this user. */
  readonly folderRule: FolderRule | undefined;
  /** Closes the program's connection. */
  readonly hangUp?: (reason: string) => void;
}

/** What a request says of its client, and the folder that came with it. */
type PlacedEnvelope = Envelope & { readonly folder: ClientFolder | undefined };

const NO_RETRY: RetryParams = { requestState: undefined, responses: new Map() };

/** Streams of changes that one client may keep open, and all clients of an endpoint together that cannot be told apart. */
const MAX_LISTENERS = { client: 64, endpoint: 256 } as const;

const MAX_GREETED = 100;
/** What a client says of itself is kept, and may be as long as a message. */
const MAX_NOTED = 64 * 1024;

/** Requests of the modern era: each says all that must be known of it, nothing is kept between them but what is open. */
export class ModernClient {
  readonly id: string;
  readonly transport: string;
  readonly profile: string | undefined;
  readonly startedAt = Date.now();
  readonly host: SessionHost;
  readonly #options: ModernClientOptions;
  /** Whose calls are counted together; `undefined` where it could be anybody. */
  readonly #payer: string | undefined;
  readonly #startFolder: ClientFolder | undefined;
  readonly #callHost: ModernCallHost;
  readonly #calls = new Set<ModernCall>();
  readonly #listeners = new Set<Listener>();
  #clientName = 'unknown';
  /** As the newest request wrote them. */
  #capabilities: ByteString | undefined;
  /** What the newest request said of its client, as it wrote it. */
  #clientText: ByteString | undefined;
  /** Names that the log has: several clients may share an endpoint, and call by turns. */
  readonly #greeted = new Set<string>();
  #nextCall = 1;
  #ended = false;

  constructor(host: SessionHost, options: ModernClientOptions) {
    this.id = options.id;
    this.transport = options.transport;
    this.profile = options.profile;
    this.host = host;
    this.#options = options;
    this.#payer = options.principal?.id || (options.isOneProgram ? options.id : undefined);
    this.#startFolder = startFolder(options.folder);
    this.#callHost = {
      parking: host.parking,
      // Asked for each time: the config may change.
      serverInfo: () => host.serverInfoInResults(),
      route: (text, call) => host.router.call(text, call),
      onCallEnded: (call) => this.#onCallEnded(call),
    };
  }

  get isOneProgram(): boolean {
    return this.#options.isOneProgram;
  }

  get principal(): Principal | undefined {
    return this.#options.principal;
  }

  /** The name that the newest request gave. */
  get clientInfo(): Readonly<Record<string, unknown>> {
    return { name: this.#clientName };
  }

  /** Some request has said what its client is. */
  get isIntroduced(): boolean {
    return this.#capabilities !== undefined;
  }

  /** What the newest request declares of its client besides what that can be asked. */
  get passed(): PassedCapabilities {
    return passedCapabilities(asObject(parsedBytes(this.#capabilities ?? '{}')));
  }

  /** Calls that wait for an answer; parked ones do not. */
  get openCalls(): number {
    let open = 0;
    for (const call of this.#calls) if (call.isOpen) open++;
    return open;
  }

  /** Whether calls, or streams of changes, are under way. */
  get isActive(): boolean {
    return this.#calls.size > 0 || this.#listeners.size > 0;
  }

  /**
   * Why a request would be turned away now: calls are bounded, what the gateway answers itself is not. Nor is what a call
   * waits for that has its place already: where all places are taken by such, none would ever become free.
   */
  denialOf(message: RequestMessage): Denial | undefined {
    if (!MODERN_PROVIDER_METHODS.has(message.method) && !ASKING_METHODS.has(message.method)) return undefined;
    const denial = this.host.quota.denial(this.#payer);
    return denial !== undefined && denial !== 'stopping' && this.#isOfParked(message) ? undefined : denial;
  }

  /** The arguments that a call of this tool repeats in HTTP headers. */
  toolHeadersOf(name: string): readonly ParameterHeader[] {
    return toolHeadersOf(this.host.catalogue, name);
  }

  /**
   * Takes one request. What belongs to it goes to `exchange`. `folder` is where its client works, if the request came
   * with that. Never throws.
   */
  onRequest(message: RequestMessage, envelope: Envelope, exchange: Exchange, folder?: string): OpenRequest | undefined {
    try {
      return this.#onRequest(
        message,
        { ...envelope, folder: folder === undefined ? this.#startFolder : { path: folder, source: 'request' } },
        exchange,
      );
    } catch (error) {
      const answer = (reply: Reply) => exchange.reply(reply.withId(message.id));
      if (error instanceof JsonTextError)
        answer(errorReply({ code: -32700, message: `Parse error: ${error.message}` }));
      else {
        this.host.log.error({ error }, 'a fault of the gateway while it handled a message');
        answer(failureReply(message.method, toGatewayError(error)));
      }
      return undefined;
    }
  }

  /** Nothing is served on the way any more by which the client has come. */
  hangUp(reason: string): void {
    this.endListeners();
    this.#options.hangUp?.(reason);
    this.end();
  }

  /** The client has gone: its calls are cancelled, parked ones too. Harmless when called twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const call of this.#calls) call.cancel('"the client has disconnected"');
    for (const listener of this.#listeners) listener.close();
    for (const provider of this.host.catalogue.providers) provider.onSessionEnded?.(this.id);
    this.host.onModernClientEnded(this);
  }

  /** The gateway stops: streams of changes end as the specification wants it. */
  endListeners(): void {
    for (const listener of this.#listeners) listener.finish();
  }

  #onRequest(message: RequestMessage, envelope: PlacedEnvelope, exchange: Exchange): OpenRequest | undefined {
    const { method, id } = message;
    const answer = (reply: Reply, status?: number) => exchange.reply(reply.withId(id), status);
    if (envelope.version !== MODERN_REVISION) {
      answer(errorReply(unsupportedVersion(envelope.version)), 400);
      return undefined;
    }
    this.#noteClient(envelope);
    if (MODERN_PROVIDER_METHODS.has(method)) return this.#onCall(message, envelope, exchange, answer);
    if (method === 'subscriptions/listen') return this.#listen(message, envelope, exchange, answer);
    const local = MODERN_LOCAL_METHODS.get(method);
    if (local === undefined) {
      answer(errorReply({ code: -32601, message: `Method not found: ${method}` }), 404);
      return undefined;
    }
    const params = valueAt(message.frame.text, message.params) as Record<string, unknown>;
    const asker = { sessionId: this.id, client: this.#factsOf(envelope) };
    const admittedBy = { quota: this.host.quota, payer: this.#payer };
    const outcome = admittedAnswer(method, admittedBy, () => local(this.host, params, asker));
    if (outcome instanceof Promise)
      outcome.then(answer, (error: unknown) => {
        if (!(error instanceof GatewayError))
          this.host.log.error({ error, method }, 'a fault of the gateway while it answered');
        answer(failureReply(method, toGatewayError(error)));
      });
    else answer(outcome);
    return undefined;
  }

  #onCall(
    message: RequestMessage,
    envelope: PlacedEnvelope,
    exchange: Exchange,
    answer: (reply: Reply, status?: number) => void,
  ): OpenRequest | undefined {
    if (MODERN_TASK_METHODS.has(message.method) && !declaresTasks(envelope.capabilities)) {
      answer(errorReply(UNDECLARED), 400);
      return undefined;
    }
    const text = readCallText(message);
    const problem = (code: number, words: string) => {
      answer(errorReply({ code, message: words }));
      return undefined;
    };
    if ('problem' in text) {
      return text.isAmbiguous === true
        ? problem(-32600, `Invalid request for ${message.method}: ${text.problem}`)
        : problem(-32602, `Invalid params for ${message.method}: ${text.problem}`);
    }
    // What is answered there belongs to a task, and is its server's affair.
    const retry = MODERN_TASK_METHODS.has(message.method) ? NO_RETRY : readRetry(text);
    if ('problem' in retry) return problem(-32602, `Invalid params for ${message.method}: ${retry.problem}`);
    const request: ModernRequest = { text, exchange, client: this.#factsOf(envelope) };
    const state = retry.requestState;
    if (state === undefined || !this.host.parking.isOwn(state)) return this.#beginInRule(request, envelope, answer);
    const resumed = this.#resume(state, request, retry, envelope);
    return typeof resumed === 'string' ? problem(-32602, `Invalid params: ${resumed}`) : resumed;
  }

  /** A parked call goes on; or the words for why it does not. */
  #resume(state: string, request: ModernRequest, retry: RetryParams, envelope: Envelope): ModernCall | string {
    const { parking } = this.host;
    const call = parking.find(state, digestOf(this.#identityOf(envelope), request.text));
    if (!(call instanceof ModernCall)) return `"requestState" is not valid: ${call.problem}`;
    const problem = call.problemWith(request.text.message.frame.text, retry.responses);
    if (problem !== undefined) return problem;
    parking.leave(call);
    call.resume(request, retry.responses);
    return call;
  }

  /** Begins a call; where it brings roots for its upstream, only those that its client may name. */
  #beginInRule(request: ModernRequest, envelope: Envelope, answer: (reply: Reply) => void): OpenRequest | undefined {
    const { text, exchange, client } = request;
    const rule = client.folderRule;
    if (rule === undefined || sentRoots(text).length === 0) return this.#begin(request, envelope, answer);
    let begun: OpenRequest | undefined;
    let isCancelled = false;
    const tell = (message: NotificationMessage) => {
      const wanted = severityOf(client.logLevel);
      if (wanted !== -1 && severityOfMessage(message) >= wanted) exchange.sendIfRoom(message.frame.bytes());
    };
    callInRule(text, { rule, tell }).then(
      (checked) => {
        if (!isCancelled) begun = this.#begin({ ...request, text: checked }, envelope, answer);
      },
      (error: unknown) => isCancelled || answer(failureReply(text.message.method, toGatewayError(error))),
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

  #begin(request: ModernRequest, envelope: Envelope, answer: (reply: Reply) => void): OpenRequest | undefined {
    const { text } = request;
    // A call that goes on needs no place, but this one begins, whatever state it brings.
    const denial = this.#ended ? 'stopping' : this.host.quota.denial(this.#payer);
    if (denial !== undefined) {
      answer(failureReply(text.message.method, denialError(denial)));
      return undefined;
    }
    const id = `${this.id}#${this.#nextCall++}`;
    const sessionId = this.#options.isOneProgram ? this.id : id;
    const call = new ModernCall(request, { id, sessionId, identity: this.#identityOf(envelope) }, this.#callHost);
    this.#calls.add(call);
    this.host.quota.onCallBegun(this.#payer);
    call.running = this.host.router.call(text, call);
    return call;
  }

  #listen(
    message: RequestMessage,
    envelope: Envelope,
    exchange: Exchange,
    answer: (reply: Reply, status?: number) => void,
  ): OpenRequest | undefined {
    const filter = readFilter(message);
    if (typeof filter === 'string') {
      answer(errorReply({ code: -32602, message: `Invalid params for ${message.method}: ${filter}` }));
      return undefined;
    }
    if (filter.taskIds !== undefined && !declaresTasks(envelope.capabilities)) {
      answer(errorReply(UNDECLARED), 400);
      return undefined;
    }
    const most = this.#payer !== undefined ? MAX_LISTENERS.client : MAX_LISTENERS.endpoint;
    if (this.#listeners.size >= most) {
      answer(errorReply({ code: -32603, message: `There may be ${most} streams of changes at one time` }), 503);
      return undefined;
    }
    const onEnded = () => this.#listeners.delete(listener);
    const client = { clientId: this.id, principal: this.principal?.id, folderRule: this.#options.folderRule };
    const listener = new Listener(this.host, { client, message, filter, exchange, onEnded });
    this.#listeners.add(listener);
    listener.open();
    return { cancel: () => listener.close() };
  }

  #factsOf({ capabilities, clientInfo, logLevel, folder }: PlacedEnvelope): ClientFacts {
    return {
      era: 'modern',
      clientId: this.id,
      principal: this.principal?.id,
      principalName: this.principal?.name,
      capabilities,
      clientInfo,
      logLevel,
      folder,
      folderRule: this.#options.folderRule,
      depth: this.#options.depth,
      scope: this.host.catalogue.scope,
    };
  }

  /** Whose a parked call is: names tell agents apart that share an endpoint, though nothing vouches for them. */
  #identityOf({ clientInfo }: Envelope): string {
    return `${this.id} ${clientInfo ?? ''}`;
  }

  #isOfParked(message: RequestMessage): boolean {
    const state = stringAt(message.frame.text, lastMember(paramsOf(message), 'requestState'));
    return state !== undefined && this.host.parking.isOwn(state);
  }

  #noteClient({ capabilities, clientInfo }: Envelope): void {
    // They are kept for as long as the client is known: longer ones count as none here.
    this.#capabilities = capabilities.length <= MAX_NOTED ? capabilities : '{}';
    if (clientInfo === undefined || clientInfo === this.#clientText || clientInfo.length > MAX_NOTED) return;
    this.#clientText = clientInfo;
    const { name } = parsedBytes(clientInfo) as { name?: unknown };
    if (typeof name !== 'string') return;
    this.#clientName = name;
    if (this.#greeted.has(name) || this.#greeted.size >= MAX_GREETED) return;
    this.#greeted.add(name);
    this.host.log.info(
      {
        event: 'client',
        session: this.id,
        client: name,
        ...(this.principal?.name && { principal: this.principal.name }),
        revision: MODERN_REVISION,
      },
      'a client calls',
    );
  }

  #onCallEnded(call: ModernCall): void {
    this.#calls.delete(call);
    this.host.quota.onCallEnded(this.#payer);
  }
}

export function unsupportedVersion(requested: string): ErrorBody {
  return {
    code: MODERN_ERRORS.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: [MODERN_REVISION], requested },
  };
}
