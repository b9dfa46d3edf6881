import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { FolderRule } from '../../../src/core/folders/folder-rule.ts';
import { EMPTY_LISTING, type Provider, type ProviderCall } from '../../../src/core/providers/provider.ts';
import { readEnvelope } from '../../../src/era/modern/envelope.ts';
import { Router } from '../../../src/router/router.ts';
import type { Exchange } from '../../../src/session/exchange.ts';
import { CallQuota } from '../../../src/session/local/call-quota.ts';
import type { CallInput } from '../../../src/session/modern/call-input.ts';
import { Parking } from '../../../src/session/modern/parking.ts';
import type { OpenRequest } from '../../../src/session/open-requests.ts';
import type { SessionHost } from '../../../src/session/session-host.ts';
import { Sessions } from '../../../src/session/sessions.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { type Bytes, toBuffer } from '../../../src/wire/bytes.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { paramsOf, type RequestMessage, readMessage } from '../../../src/wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../../src/wire/reply.ts';

export const VERSION = '2026-07-28';

export const read = <Kind>(json: string): Kind => readMessage(Frame.of(Buffer.from(json))) as Kind;

/** A call that has reached its provider. */
export class ArrivedCall {
  readonly call: ProviderCall;
  cancelled: string | undefined;
  /** What became of its questions, in the order of their answers. */
  readonly answers: string[] = [];

  constructor(call: ProviderCall) {
    this.call = call;
  }

  get sent(): string {
    return this.call.text.message.frame.text.toString();
  }

  ask(method: string, params: object): void {
    this.call.caller.ask({
      message: read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })),
      onAnswer: (answer) => this.answers.push(body(answer)),
      onFailure: (error) => this.answers.push(`${error.code}: ${error.message}`),
      onProgress: () => undefined,
    });
  }

  elicit(message: string): void {
    this.ask('elicitation/create', { message, requestedSchema: { type: 'object', properties: {} } });
  }

  answer(text: string): void {
    this.call.caller.onReply(resultReply({ content: [{ type: 'text', text }] }));
  }

  fail(code: number, message: string, data?: unknown): void {
    this.call.caller.onReply(errorReply({ code, message, data }));
  }
}

function body(reply: Reply): string {
  const { result, error } = JSON.parse(toBuffer(reply.withId('0')).toString()) as { result?: unknown; error?: unknown };
  return JSON.stringify(result ?? error);
}

/** A provider whose calls the test answers. It accepts calls of any name. */
export class HeldProvider implements Provider {
  readonly id = 'held';
  readonly kind = 'upstream';
  readonly prefix = '';
  readonly validation = 'off';
  readonly calls: ArrivedCall[] = [];

  get last(): ArrivedCall {
    return this.calls.at(-1)!;
  }

  listing() {
    return EMPTY_LISTING;
  }

  isKnown(): boolean {
    return true;
  }

  acceptsUnlisted(): boolean {
    return true;
  }

  call(call: ProviderCall) {
    const arrived = new ArrivedCall(call);
    this.calls.push(arrived);
    return {
      cancel: (reason?: string) => {
        arrived.cancelled = reason ?? 'no reason';
      },
    };
  }
}

/** One request of the client, and what came back. */
export class Asked implements Exchange {
  readonly id: number;
  readonly events: Record<string, unknown>[] = [];
  status: number | undefined;
  isAbandoned = false;
  replies = 0;
  open: OpenRequest | undefined;
  #arrived: ((message: Record<string, never>) => void) | undefined;
  readonly answered = new Promise<Record<string, never>>((resolve) => {
    this.#arrived = resolve;
  });

  constructor(id: number) {
    this.id = id;
  }

  reply(bytes: Bytes, status?: number): void {
    this.replies++;
    this.status = status;
    this.#arrived?.(JSON.parse(toBuffer(bytes).toString()) as Record<string, never>);
  }

  send(bytes: Bytes): void {
    this.events.push(JSON.parse(toBuffer(bytes).toString()) as Record<string, unknown>);
  }

  sendIfRoom(bytes: Bytes): void {
    this.send(bytes);
  }

  abandon(): void {
    this.isAbandoned = true;
  }
}

export interface Sender {
  readonly name?: string;
  readonly capabilities?: object;
  readonly meta?: object;
}

export const ABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** A gateway's sessions with one provider, and a modern client of them. */
interface ModernSetupOptions {
  readonly patienceMs?: number;
  readonly isOneProgram?: boolean;
  readonly calls?: number;
  readonly callsPerClient?: number;
  readonly folderRule?: FolderRule;
}

export function modernSetup({
  patienceMs = 60_000,
  isOneProgram = false,
  calls = 100,
  callsPerClient = 100,
  folderRule,
}: ModernSetupOptions = {}) {
  const provider = new HeldProvider();
  const sessions = new Sessions();
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  const view = catalogue.openView(undefined, (kinds) => sessions.onCatalogueChange(view, kinds));
  catalogue.setProviders([provider]);
  const parking = new Parking<CallInput>(patienceMs);
  const host: SessionHost = {
    catalogue: view,
    router: new Router(view, []),
    quota: new CallQuota(() => ({ calls, callsPerClient })),
    log: createLog({ level: 'silent' }),
    serverInfo: { name: 'gateway', version: '1' },
    serverInfoInResults: () => undefined,
    parking,
    directory: sessions,
    instructions: () => '',
    listGraceMs: () => 0,
  };
  const client = sessions.openModern(host, {
    id: 'http',
    transport: 'http',
    isOneProgram,
    profile: undefined,
    folderRule,
  });
  let nextId = 1;
  const request = (
    method: string,
    params: object,
    { name = 'agent', capabilities = ABLE, meta = {} }: Sender = {},
    spelt: (json: string) => string = (json) => json,
  ) => {
    const asked = new Asked(nextId++);
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    };
    const json = { jsonrpc: '2.0', id: asked.id, method, params: { ...params, _meta: { ...envelope, ...meta } } };
    const message = read<RequestMessage>(spelt(JSON.stringify(json)));
    const found = readEnvelope(message.frame, paramsOf(message));
    if ('problem' in found) throw new Error(found.problem);
    asked.open = client.onRequest(message, found, asked);
    return asked;
  };
  const call = (more: object = {}, sender?: Sender) =>
    request('tools/call', { name: 'tool', arguments: { a: 1, b: [2] }, ...more }, sender);
  return { provider, parking, host, client, sessions, catalogue, request, call };
}
