import { type Line, parsed, valueAt } from '../lines/line.ts';
import { headOf } from '../lines/message-head.ts';
import { ChangeStreams, streamOf } from './change-streams.ts';
import { type ClientRequest, ClientRequests, LISTEN_METHOD, SESSION_METHODS } from './client-requests.ts';
import { ClientSession } from './client-session.ts';
import { lostAnswer, unsentAnswer } from './failed-answer.ts';
import { GatewayRequests } from './gateway-requests.ts';

/** The messages that make the session of another gateway. */
interface Replay {
  readonly toGateway: readonly (Buffer | string)[];
  readonly toClient: readonly string[];
}

/**
 * Notes what another gateway must be told to go on in place of one that has ended, and what the client must be told then. It
 * sees each line of both, and decides whether it is passed on.
 */
export class Journal {
  readonly #requests = new ClientRequests();
  readonly #asked = new GatewayRequests();
  readonly #session = new ClientSession();
  readonly #streams = new ChangeStreams();
  /** Ids of requests that were replayed: the client has had the answers. */
  readonly #replayed = new Set<string>();
  #problem: string | undefined;

  /** The reason why the gateway cannot be replaced, if so. */
  get problem(): string | undefined {
    return this.#problem ?? this.#requests.problem ?? this.#session.problem;
  }

  /** Notes that the gateway cannot be replaced. */
  giveUp(problem: string): void {
    this.#problem ??= problem;
  }

  /** Takes a line of the client. Returns whether the gateway gets it. */
  fromClient(line: Line): boolean {
    const { id, method, isBatch } = headOf(line);
    if (isBatch === true) this.giveUp('the client sends batches');
    if (method === undefined) return id === undefined || this.#asked.takesAnswer(id);
    if (id !== undefined) this.#requests.add(id, method, line);
    else if (method === 'notifications/initialized') this.#session.onInitialized(line);
    else if (method === 'notifications/cancelled') this.#onCancelled(valueAt(parsed(line), 'params', 'requestId'));
    return true;
  }

  /** Takes a line of the gateway. Returns whether the client gets it. */
  fromGateway(line: Line): boolean {
    const { id, method } = headOf(line);
    if (method === undefined) return id === undefined || this.#onAnswer(id, line);
    if (id !== undefined) this.#asked.add(id);
    else if (method === 'notifications/cancelled')
      this.#asked.withdraw(JSON.stringify(valueAt(parsed(line), 'params', 'requestId')));
    else if (method === 'notifications/subscriptions/acknowledged') return this.#onAcknowledged(streamOf(parsed(line)));
    return true;
  }

  /** The gateway has ended. Returns the messages for the client. */
  lose(): readonly string[] {
    this.#replayed.clear();
    const failed = this.#requests.fail(this.problem === undefined ? 'unrepeatable' : 'all');
    return [...failed.map((request) => lostAnswer(request, this.#isModern)), ...this.#asked.lose()];
  }

  /** No gateway will come. Returns the answers to all requests that are open. */
  abandon(): readonly string[] {
    return this.#requests.fail('all').map((request) => unsentAnswer(request, this.#isModern));
  }

  /** Returns the request with which the session of another gateway begins; `undefined` if it needs none. */
  get opening(): ClientRequest | undefined {
    return this.#session.initialize;
  }

  /** Returns the way in which another gateway's answer to the opening offers less than the client was promised, if so. */
  differenceIn(answer: Line): string | undefined {
    return this.#session.differenceIn(answer);
  }

  /** Returns the messages after the opening. */
  replay(): Replay {
    const { initialized } = this.#session;
    const settings = this.#session.settings();
    for (const { id } of settings) this.#replayed.add(id);
    const repeated = this.#requests.repeatable();
    const streams = repeated.filter(({ method }) => method === LISTEN_METHOD);
    return {
      toGateway: [
        ...(this.opening === undefined || initialized === undefined ? [] : [initialized]),
        ...[...settings, ...repeated].map(({ text }) => text!),
      ],
      toClient: [...this.#session.listNotices(), ...this.#streams.repeat(streams)],
    };
  }

  get #isModern(): boolean {
    return this.#session.initialize === undefined;
  }

  #onCancelled(requestId: unknown): void {
    const id = JSON.stringify(requestId);
    this.#requests.take(id);
    this.#streams.end(id);
  }

  #onAnswer(id: string, answer: Line): boolean {
    if (this.#replayed.delete(id)) return false;
    const request = this.#requests.take(id);
    if (request === undefined) return true;
    if (SESSION_METHODS.has(request.method)) this.#session.onAnswer(request, answer);
    else if (request.method === LISTEN_METHOD) this.#streams.end(id);
    return true;
  }

  #onAcknowledged(id: string | undefined): boolean {
    return id === undefined || this.#streams.acknowledge(id);
  }
}
