import type { ClientGrant } from '../../core/access/client-grant.ts';
import { toGatewayError } from '../../core/errors.ts';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import { startFolder } from '../../core/providers/client-folder.ts';
import type { ClientFacts, ClientFolder } from '../../core/providers/provider.ts';
import type { ParameterHeader } from '../../era/http/parameter-headers.ts';
import type { Envelope } from '../../era/modern/envelope.ts';
import { MODERN_ERRORS, MODERN_REVISION } from '../../era/modern/modern.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { type ErrorBody, errorReply } from '../../wire/reply.ts';
import { type ClientOrigin, ConnectedClient } from '../connected-client.ts';
import type { Exchange } from '../exchange.ts';
import { failureReply } from '../failure.ts';
import type { Denial } from '../local/call-quota.ts';
import type { OpenRequest } from '../open-requests.ts';
import type { SessionHost } from '../session-host.ts';
import { ChangeStreams } from './change-streams.ts';
import { ModernIntroduction } from './introduction.ts';
import { answerLocally } from './local-answer.ts';
import { ModernCalls } from './modern-calls.ts';
import { MODERN_PROVIDER_METHODS } from './modern-methods.ts';
import { toolHeadersOf } from './tool-headers.ts';

export interface ModernClientOptions extends ClientGrant, ClientOrigin {
  readonly profile: string | undefined;
  /** One program on a pipe, whose calls may stand for each other; otherwise any program that reaches the endpoint. */
  readonly isOneProgram: boolean;
  /** The folder in which the program was started, if that is known. */
  readonly folder?: string | undefined;
  /** Number of agents, started by gateways, between the program and the user. */
  readonly depth?: number | undefined;
  /** The folders that its clients may name; `undefined` for programs of this user, which may name any. */
  readonly folderRule: FolderRule | undefined;
}

/** Streams of changes that one client may keep open, and all clients of an endpoint together that cannot be told apart. */
const MAX_LISTENERS = { client: 64, endpoint: 256 } as const;

/** Requests of the modern era: each says all that must be known of it, nothing is kept between them but what is open. */
export class ModernClient extends ConnectedClient {
  readonly introduction: ModernIntroduction;
  readonly #options: ModernClientOptions;
  /** The id under which calls are counted; `undefined` if the client is unknown. */
  readonly #payer: string | undefined;
  readonly #startFolder: ClientFolder | undefined;
  readonly #calls: ModernCalls;
  readonly #streams: ChangeStreams;
  readonly #onEnded: (client: ModernClient) => void;
  #isEnded = false;

  /** @param onEnded is called once, when the client has gone */
  constructor(host: SessionHost, options: ModernClientOptions, onEnded: (client: ModernClient) => void) {
    super(host, options);
    const { id, isOneProgram, principal, folder } = options;
    const payer = principal?.id || (isOneProgram ? id : undefined);
    this.#options = options;
    this.#onEnded = onEnded;
    this.#payer = payer;
    this.#startFolder = startFolder(folder);
    this.#calls = new ModernCalls({ id, host, isOneProgram, payer });
    this.#streams = new ChangeStreams(host, payer === undefined ? MAX_LISTENERS.endpoint : MAX_LISTENERS.client);
    this.introduction = new ModernIntroduction((name) => logName(this, name));
  }

  get isOneProgram(): boolean {
    return this.#options.isOneProgram;
  }

  /** The number of calls that wait for an answer; parked ones do not. */
  get openCalls(): number {
    return this.#calls.openCalls;
  }

  /** Calls, or streams of changes, are under way. */
  get isActive(): boolean {
    return this.#calls.size > 0 || this.#streams.size > 0;
  }

  /** Returns why a request would be turned away now; what the gateway answers itself never is. */
  denialOf(message: RequestMessage): Denial | undefined {
    return this.#calls.denialOf(message);
  }

  /** Returns the arguments that a call of this tool repeats in HTTP headers. */
  toolHeadersOf(name: string): readonly ParameterHeader[] {
    return toolHeadersOf(this.host.catalogue, name);
  }

  /**
   * Handles one request. Everything that belongs to it goes to `exchange`. Never throws.
   * @param folder the folder in which its client works, if the request came with that
   * @returns the request, where it can be cancelled
   */
  onRequest(message: RequestMessage, envelope: Envelope, exchange: Exchange, folder?: string): OpenRequest | undefined {
    try {
      return this.#serve(message, envelope, exchange, folder);
    } catch (error) {
      if (error instanceof JsonTextError) {
        exchange.reply(errorReply({ code: -32700, message: `Parse error: ${error.message}` }).withId(message.id));
        return undefined;
      }
      this.host.log.error({ error }, 'a fault of the gateway while it handled a message');
      exchange.reply(failureReply(message.method, toGatewayError(error)).withId(message.id));
      return undefined;
    }
  }

  override hangUp(reason: string): void {
    this.endListeners();
    super.hangUp(reason);
  }

  /** The client has gone: its calls are cancelled, parked ones too. Harmless when called twice. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#calls.end();
    this.#streams.closeAll();
    for (const provider of this.host.catalogue.providers) provider.onSessionEnded?.(this.id);
    this.#onEnded(this);
  }

  /** Ends streams of changes as the specification wants it: the gateway stops. */
  endListeners(): void {
    this.#streams.finishAll();
  }

  #serve(
    message: RequestMessage,
    envelope: Envelope,
    exchange: Exchange,
    folder: string | undefined,
  ): OpenRequest | undefined {
    const { method, id } = message;
    if (envelope.version !== MODERN_REVISION) {
      exchange.reply(errorReply(unsupportedVersion(envelope.version)).withId(id), 400);
      return undefined;
    }
    this.introduction.note(envelope);
    const client = this.#factsOf(envelope, folder);
    if (MODERN_PROVIDER_METHODS.has(method)) return this.#calls.onRequest(message, client, exchange);
    if (method === 'subscriptions/listen') return this.#streams.listen(message, client, exchange);
    answerLocally(message, { host: this.host, payer: this.#payer, sessionId: this.id, client }, exchange);
    return undefined;
  }

  #factsOf({ capabilities, clientInfo, logLevel }: Envelope, folder: string | undefined): ClientFacts {
    const { depth, folderRule } = this.#options;
    return {
      era: 'modern',
      clientId: this.id,
      principal: this.principal?.id,
      principalName: this.principal?.name,
      capabilities,
      clientInfo,
      logLevel,
      folder: folder === undefined ? this.#startFolder : { path: folder, source: 'request' },
      folderRule,
      depth,
      scope: this.host.catalogue.scope,
    };
  }
}

function logName({ id: session, principal, host }: ConnectedClient, name: string): void {
  const facts = { session, client: name, ...(principal?.name && { principal: principal.name }) };
  host.log.info({ event: 'client', ...facts, revision: MODERN_REVISION }, 'a client calls');
}

/** Returns the error for a request of a revision that the gateway does not speak. */
export function unsupportedVersion(requested: string): ErrorBody {
  return {
    code: MODERN_ERRORS.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: [MODERN_REVISION], requested },
  };
}
