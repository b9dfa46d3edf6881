import { META } from '../../../../src/era/modern/modern.ts';
import type { TransportDefinition, TransportEvents } from '../../../../src/upstream/transports/transport.ts';
import type { Bytes } from '../../../../src/wire/bytes.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: any;
}

export type ServerEra = 'legacy' | 'modern';

/** The program that an entry names: each process of it offers the same. */
export class MemoryProgram {
  era: ServerEra = 'legacy';
  /** Names of the tools; `change` makes every process tell that they are others. */
  tools: readonly string[] = ['one'];
  readonly uris: readonly string[] = ['r://a', 'r://b', 'r://c'];
  /** A process that is begun ends at once, and says nothing before, while this says so. */
  isBroken = false;
  /** A legacy process asks the client of each call something, and does not wait for what it says. */
  asks = false;
  /** Whether a process has ever done so; for others to reset. */
  hasAsked = false;
  /** Each answer is given at the moment that this chooses; at once without it. */
  later: ((answer: () => void) => void) | undefined;
  readonly processes: MemoryProcess[] = [];
  #began = 0;

  get living(): readonly MemoryProcess[] {
    return this.processes.filter(({ isLiving }) => isLiving);
  }

  /** The processes that have been begun so far. */
  get began(): number {
    return this.#began;
  }

  change(tools: readonly string[]): void {
    this.tools = tools;
    for (const process of this.living) process.tell('notifications/tools/list_changed', {});
  }

  readonly definition: TransportDefinition = {
    open: async (_entry, events) => {
      this.#began++;
      const process = new MemoryProcess(this, events);
      // The dead are forgotten: a long test has thousands.
      this.processes.splice(0, this.processes.length, ...this.living, process);
      if (this.isBroken) setTimeout(() => process.crash(), 0);
      return process.transport;
    },
  };
}

/** One process, which keeps what it was asked. */
export class MemoryProcess {
  isLiving = true;
  readonly subscribed = new Set<string>();
  readonly seen: string[] = [];
  readonly #program: MemoryProgram;
  readonly #events: TransportEvents;
  readonly #cancelled = new Set<number>();
  #asked = 0;
  readonly #isMute: boolean;
  readonly #streams = new Map<number, { resourceSubscriptions?: string[] }>();

  constructor(program: MemoryProgram, events: TransportEvents) {
    this.#program = program;
    this.#events = events;
    this.#isMute = program.isBroken;
  }

  readonly transport = {
    pid: 1,
    queuedBytes: 0,
    send: (bytes: Bytes) => {
      if (this.isLiving) this.#take(JSON.parse(toBuffer(bytes).toString()) as Message);
    },
    close: async () => {
      this.isLiving = false;
    },
  };

  crash(reason = 'process exited (code 1)'): void {
    if (!this.isLiving) return;
    this.isLiving = false;
    this.#events.onClosed(reason);
  }

  /** A resource changes: tells of it, if somebody wants to know. */
  touch(uri: string): void {
    if (this.watched().has(uri)) this.tell('notifications/resources/updated', { uri });
  }

  /** The resources of which it tells. */
  watched(): ReadonlySet<string> {
    if (this.#program.era === 'legacy') return this.subscribed;
    return new Set([...this.#streams.values()].flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions));
  }

  tell(method: string, params: { readonly uri?: string }): void {
    if (this.#program.era === 'legacy') {
      this.#say({ method, params });
      return;
    }
    for (const [id, { resourceSubscriptions = [] }] of this.#streams)
      if (params.uri === undefined || resourceSubscriptions.includes(params.uri))
        this.#say({ method, params: { ...params, _meta: { [META.subscriptionId]: id } } });
  }

  #take({ id, method, params }: Message): void {
    if (method === 'notifications/cancelled') {
      this.#cancelled.add(params.requestId);
      this.#streams.delete(params.requestId);
    }
    if (id === undefined || method === undefined) return;
    this.seen.push(method.startsWith('resources/') ? `${method} ${params.uri}` : method);
    if (method === 'tools/call' && this.#program.asks) this.#ask();
    const answer = () => this.#answer(id, method, params);
    if (this.#program.later === undefined) queueMicrotask(answer);
    else this.#program.later(answer);
  }

  #answer(id: number, method: string, params: any): void {
    if (!this.isLiving || this.#isMute) return;
    if (method === 'subscriptions/listen') {
      if (this.#cancelled.has(id)) return;
      this.#streams.set(id, params.notifications);
      const told = { notifications: params.notifications, _meta: { [META.subscriptionId]: id } };
      this.#say({ method: 'notifications/subscriptions/acknowledged', params: told });
      return;
    }
    const result = this.#resultOf(method, params);
    const complete = this.#program.era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
    this.#say(
      result === undefined
        ? { id, error: { code: -32601, message: `Method not found: ${method}` } }
        : { id, result: { ...result, ...complete } },
    );
  }

  #resultOf(method: string, params: any): object | undefined {
    const { era, tools, uris } = this.#program;
    const capabilities = {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
    };
    const serverInfo = { name: 'memory', version: '1' };
    switch (method) {
      case 'initialize':
        if (era !== 'legacy') return undefined;
        return { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: 'be kind' };
      case 'server/discover':
        if (era !== 'modern') return undefined;
        return { supportedVersions: ['2026-07-28'], capabilities, instructions: 'be kind' };
      case 'tools/list':
        return { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
      case 'resources/list':
        return { resources: uris.map((uri) => ({ uri, name: uri })) };
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'tools/call':
        return { content: [] };
      case 'resources/subscribe':
        this.subscribed.add(params.uri);
        return {};
      case 'resources/unsubscribe':
        this.subscribed.delete(params.uri);
        return {};
      case 'ping':
      case 'logging/setLevel':
        return {};
      default:
        return undefined;
    }
  }

  #ask(): void {
    this.#program.hasAsked = true;
    const params = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
    this.#say({ id: `ask-${++this.#asked}`, method: 'elicitation/create', params });
  }

  #say(message: object): void {
    if (this.isLiving) this.#events.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))));
  }
}
