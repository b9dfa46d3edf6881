import { readEnvelope } from '../../../../src/era/modern/envelope.ts';
import type { Exchange } from '../../../../src/session/exchange.ts';
import type { ModernClient } from '../../../../src/session/modern/modern-client.ts';
import type { OpenRequest } from '../../../../src/session/open-requests.ts';
import type { Session } from '../../../../src/session/session.ts';
import type { SessionHost } from '../../../../src/session/session-host.ts';
import type { Sessions } from '../../../../src/session/sessions.ts';
import { type Bytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { paramsOf, type RequestMessage, readMessage } from '../../../../src/wire/message.ts';

const messageOf = (value: object) => readMessage(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...value }))));
const readBytes = (bytes: Bytes): any => JSON.parse(toBuffer(bytes).toString());

/** What a client has heard since it was asked last. */
class Heard {
  /** Changes of resources, by uri. */
  readonly updates = new Map<string, number>();
  listChanges = 0;

  take({ method, params }: any): void {
    if (method === 'notifications/tools/list_changed') this.listChanges++;
    if (method === 'notifications/resources/updated')
      this.updates.set(params.uri, (this.updates.get(params.uri) ?? 0) + 1);
  }
}

/** A client that knows which changes it is owed. */
export interface ModelClient {
  readonly name: string;
  /** Where it works, if it says so. */
  readonly folder: string | undefined;
  heard: Heard;
  /** The resources of which it was told that it hears of them. */
  owed(): ReadonlySet<string>;
  /** Another set of resources, one more, or one less. */
  change(uri: string, choose: (most: number) => number): void;
  call(): void;
  tools(): Promise<readonly string[]>;
  leave(): void;
}

/** A client with roots that declines every question. */
export class LegacyModelClient implements ModelClient {
  readonly name: string;
  readonly folder: string;
  heard = new Heard();
  readonly #session: Session;
  readonly #wanted = new Set<string>();
  /** How often it has unsubscribed from a resource: the answer to a request from before tells nothing any more. */
  readonly #ends = new Map<string, number>();
  #nextId = 1;

  constructor(name: string, folder: string, sessions: Sessions, host: SessionHost) {
    this.name = name;
    this.folder = folder;
    this.#session = sessions.open(host, {
      id: name,
      transport: 'memory',
      profile: undefined,
      folderRule: undefined,
      output: (bytes) => this.#take(bytes),
    });
    const clientInfo = { name, version: '1' };
    const capabilities = { roots: {}, elicitation: {} };
    void this.#request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }).answered;
    this.#session.onMessage(
      messageOf({ method: 'notifications/initialized' }),
      this.#exchange(() => undefined),
    );
  }

  owed(): ReadonlySet<string> {
    return this.#wanted;
  }

  change(uri: string, choose: (most: number) => number): void {
    const isEnd = this.#wanted.has(uri) ? choose(3) > 0 : choose(8) === 0;
    const { id, answered } = this.#request(isEnd ? 'resources/unsubscribe' : 'resources/subscribe', { uri });
    const ends = (this.#ends.get(uri) ?? 0) + (isEnd ? 1 : 0);
    this.#ends.set(uri, ends);
    if (isEnd) {
      this.#wanted.delete(uri);
      return;
    }
    void answered.then(({ result }) => {
      if (result !== undefined && this.#ends.get(uri) === ends) this.#wanted.add(uri);
    });
    if (choose(5) === 0)
      this.#session.onMessage(messageOf({ method: 'notifications/cancelled', params: { requestId: id } }), NOWHERE);
  }

  call(): void {
    void this.#request('tools/call', { name: 'up_one', arguments: {} });
  }

  async tools(): Promise<readonly string[]> {
    const { result } = await this.#request('tools/list', {}).answered;
    return result.tools.map(({ name }: any) => name);
  }

  leave(): void {
    this.#session.end();
  }

  #request(method: string, params: object): { readonly id: number; readonly answered: Promise<any> } {
    const id = this.#nextId++;
    const answered = new Promise<any>((resolve) => {
      this.#session.onMessage(messageOf({ id, method, params }), this.#exchange(resolve));
    });
    return { id, answered };
  }

  #take(bytes: Bytes): void {
    const message = readBytes(bytes);
    this.heard.take(message);
    const { id, method } = message;
    if (method === 'roots/list') this.#answer(id, { roots: [{ uri: `file://${this.folder}` }] });
    if (method === 'elicitation/create') this.#answer(id, { action: 'decline' });
  }

  #answer(id: unknown, result: object): void {
    queueMicrotask(() => this.#session.onMessage(messageOf({ id, result }), NOWHERE));
  }

  #exchange(onReply: (answer: any) => void): Exchange {
    const take = (bytes: Bytes) => this.#take(bytes);
    return { reply: (bytes) => onReply(readBytes(bytes)), send: take, sendIfRoom: take, abandon: () => undefined };
  }
}

const NOWHERE: Exchange = {
  reply: () => undefined,
  send: () => undefined,
  sendIfRoom: () => undefined,
  abandon: () => undefined,
};

/** A program of 2026-07-28 with one stream of changes, which it opens anew for other resources. */
export class ModernModelClient implements ModelClient {
  readonly name: string;
  readonly folder = undefined;
  heard = new Heard();
  readonly #client: ModernClient;
  readonly #wanted = new Set<string>();
  #stream: OpenRequest | undefined;
  #owed: ReadonlySet<string> | undefined = new Set();
  #nextId = 1;

  constructor(name: string, sessions: Sessions, host: SessionHost) {
    this.name = name;
    const options = { id: name, transport: 'memory', isOneProgram: true, profile: undefined, folderRule: undefined };
    this.#client = sessions.openModern(host, options);
    this.#listen();
  }

  owed(): ReadonlySet<string> {
    return this.#owed ?? new Set();
  }

  change(uri: string): void {
    if (!this.#wanted.delete(uri)) this.#wanted.add(uri);
    this.#listen();
  }

  /** Opens its stream again until it is promised all that it wants. */
  get isPromisedAll(): boolean {
    return this.#owed?.size === this.#wanted.size;
  }

  listenAgain(): void {
    this.#listen();
  }

  call(): void {
    this.#request('tools/call', { name: 'up_one', arguments: {} }, NOWHERE);
  }

  tools(): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const reply = (bytes: Bytes) => resolve(readBytes(bytes).result.tools.map(({ name }: any) => name));
      this.#request('tools/list', {}, { ...NOWHERE, reply });
    });
  }

  leave(): void {
    this.#client.end();
  }

  #listen(): void {
    this.#stream?.cancel();
    this.#owed = undefined;
    // What changed while it had no stream it would have to look up by itself.
    this.heard.listChanges++;
    let isCurrent = true;
    const take = (bytes: Bytes) => {
      const value = readBytes(bytes);
      if (!isCurrent) return;
      if (value.method === 'notifications/subscriptions/acknowledged')
        this.#owed = new Set(value.params.notifications.resourceSubscriptions);
      else this.heard.take(value);
    };
    const notifications = { toolsListChanged: true, resourceSubscriptions: [...this.#wanted] };
    const exchange = { ...NOWHERE, send: take, sendIfRoom: take };
    const stream = this.#request('subscriptions/listen', { notifications }, exchange);
    this.#stream = {
      cancel: () => {
        isCurrent = false;
        stream?.cancel();
      },
    };
  }

  #request(method: string, params: object, exchange: Exchange): OpenRequest | undefined {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: this.name, version: '1' },
    };
    const message = messageOf({ id: this.#nextId++, method, params: { ...params, _meta } }) as RequestMessage;
    const envelope = readEnvelope(message.frame, paramsOf(message));
    if ('problem' in envelope) throw new Error(envelope.problem);
    return this.#client.onRequest(message, envelope, exchange);
  }
}
