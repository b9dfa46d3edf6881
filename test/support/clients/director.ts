import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { fixture, temporaryFolder } from '../gateway.ts';
import { onLines } from '../lines.ts';
import { endChild } from '../processes.ts';
import { type AtEnd, atEnd } from '../shared.ts';
import type { TransportName } from '../transports.ts';

/** The reports of the fixture server `actor`: a process has begun, a call has come, its client has answered, and so on. */
export interface ActorEvent {
  readonly event: 'hello' | 'initialize' | 'call' | 'answered' | 'cancelled' | 'done';
  readonly pid: number;
  readonly call?: string;
  readonly name?: string;
  readonly do?: string;
  readonly answer?: any;
  readonly capabilities?: any;
}

export interface ActorStep {
  readonly do: 'ask' | 'log' | 'answer' | 'notify' | 'error';
  readonly name?: string;
  readonly method?: string;
  readonly params?: object;
  readonly text?: string;
  readonly isOutside?: boolean;
}

const EXPECTED: ReadonlySet<string> = new Set(['call', 'answered', 'cancelled']);

/** An event that happens once. */
class Expected {
  isSeen = false;
  readonly seen: Promise<ActorEvent>;
  #resolve: ((event: ActorEvent) => void) | undefined;

  constructor() {
    this.seen = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  onSeen(event: ActorEvent): void {
    this.isSeen = true;
    this.#resolve?.(event);
  }
}

/** Tells processes of the fixture server `actor` what to do with their calls, and knows what they have seen. */
export class Director {
  readonly events: ActorEvent[] = [];
  readonly #atEnd: AtEnd;
  readonly #places = new Map<string, Socket>();
  readonly #waiters = new Set<() => void>();
  /** Events by their content, as they arrived or are awaited: a search through all of them takes too long. */
  readonly #named = new Map<string, Expected>();
  readonly #server = createServer((socket) => this.#onProcess(socket));

  private constructor(whenDone: AtEnd) {
    this.#atEnd = whenDone;
  }

  static async open(whenDone: AtEnd = atEnd): Promise<Director> {
    const director = new Director(whenDone);
    director.#server.listen(0, '127.0.0.1');
    await once(director.#server, 'listening');
    whenDone(() => void director.#server.close());
    return director;
  }

  /** An entry of the config for an actor that is reached like this. */
  async entry(
    transport: TransportName = 'stdio',
    era: 'legacy' | 'modern' = 'legacy',
    ...more: readonly string[]
  ): Promise<object> {
    const flags = [`--control=${(this.#server.address() as AddressInfo).port}`, `--era=${era}`, ...more];
    if (transport === 'stdio') return fixture('actor', ...flags);
    const at = transport === 'unix' ? path.join(temporaryFolder(this.#atEnd), 'actor.sock') : '0';
    const { command, args } = fixture('actor', ...flags, `--over=${transport}`, `--at=${at}`);
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#atEnd(() => endChild(child));
    return { url: await urlOf(child), ...(transport === 'sse' && { type: 'sse' }) };
  }

  /** The first event, past or to come, that fits. */
  async saw(fits: (event: ActorEvent) => boolean, from = 0): Promise<ActorEvent> {
    for (let at = from; ; ) {
      for (; at < this.events.length; at++) if (fits(this.events[at]!)) return this.events[at]!;
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** The call has reached its server. */
  arrived(call: string): Promise<ActorEvent> {
    return this.#expected({ event: 'call', call }).seen;
  }

  /** The client's answer to a question of this call. */
  async answerTo(call: string, name: string): Promise<any> {
    return (await this.#expected({ event: 'answered', call, name }).seen).answer;
  }

  /** The server was told that the call is cancelled. */
  cancelled(call: string): Promise<ActorEvent> {
    return this.#expected({ event: 'cancelled', call }).seen;
  }

  /** The awaited events that have not happened. */
  get missing(): string[] {
    return [...this.#named].filter(([, { isSeen }]) => !isSeen).map(([key]) => key);
  }

  #expected(event: Pick<ActorEvent, 'event' | 'call' | 'name'>): Expected {
    const key = `${event.event} ${event.call} ${event.event === 'answered' ? event.name : ''}`;
    let expected = this.#named.get(key);
    if (expected === undefined) {
      expected = new Expected();
      this.#named.set(key, expected);
    }
    return expected;
  }

  /** Has the server do one thing with a call that has arrived; resolves once it is done, for a question once it is answered. */
  async tell(call: string, step: ActorStep): Promise<void> {
    const from = this.events.length;
    this.begin(call, step);
    await this.saw((event) => event.event === 'done' && event.call === call && event.do === step.do, from);
  }

  /** The same, without waiting. */
  begin(call: string, step: ActorStep): void {
    this.#places.get(call)!.write(`${JSON.stringify({ call, name: 'only', ...step })}\n`);
  }

  /** Processes so far. */
  get pids(): number[] {
    return [...new Set(this.events.map(({ pid }) => pid))];
  }

  #onProcess(socket: Socket): void {
    socket.on('error', () => undefined);
    this.#atEnd(() => void socket.destroy());
    onLines(socket, (line) => {
      const event = JSON.parse(line) as ActorEvent;
      if (event.event === 'call') this.#places.set(event.call!, socket);
      this.events.push(event);
      if (EXPECTED.has(event.event)) this.#expected(event).onSeen(event);
      const waiters = [...this.#waiters];
      this.#waiters.clear();
      for (const wake of waiters) wake();
    });
  }
}

async function urlOf(child: ChildProcess): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    onLines(child.stdout!, (line) => resolve(line.replace('listening on ', '')));
    child.once('exit', (code) => reject(new Error(`the fixture server exited with ${code}`)));
  });
}

const FORM = { type: 'object', properties: { name: { type: 'string' } } };

/** A question by form with this text. */
export const formAsk = (text: string, name = 'only'): ActorStep => ({
  do: 'ask',
  name,
  method: 'elicitation/create',
  params: { message: text, requestedSchema: FORM },
});

export const samplingAsk = (text: string, name = 'only'): ActorStep => ({
  do: 'ask',
  name,
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 10 },
});

export const rootsAsk = (name = 'only'): ActorStep => ({ do: 'ask', name, method: 'roots/list', params: {} });

/** The same, over HTTP on the stream of the session. */
export const outside = (step: ActorStep): ActorStep => ({ ...step, isOutside: true });
