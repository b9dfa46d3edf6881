import type { ProviderCall, RunningCall } from '../../../core/providers/provider.ts';
import { Subscriptions } from '../../../core/providers/subscriptions.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { NotificationMessage } from '../../../wire/message.ts';
import { type Reply, resultReply } from '../../../wire/reply.ts';
import type { ServerFacts } from '../../connection/handshake.ts';
import type { Link } from '../../connection/link.ts';
import { ListenStream } from './listen-stream.ts';
import { modernAnswer } from './modern-answer.ts';
import { type Outcome, type SendCall, SubscribeCall } from './subscribe-call.ts';
import { UriTurns } from './uri-turns.ts';

export interface ResourceWatchHost {
  readonly upstream: string;
  readonly log: Log;
  /** The time that a server may take to say which resources it reports, in milliseconds. */
  readonly patienceMs: number;
  /** Sends a client's call on its way to the upstream. */
  readonly send: SendCall;
  /** Sends a request of our own. Resolves to whether the upstream answered it with a result. */
  request(method: string, params: unknown): Promise<boolean>;
  /** Tasks of which clients want to hear, too. */
  taskIds(): readonly string[];
  /** Lists may have changed while there was no listener. */
  onMissed(): void;
}

/** A subscribe request of a client that the upstream has not answered. */
interface Flight {
  readonly request: SubscribeCall;
  /** True if it was sent on a connection that was replaced: a response there says nothing about the new one. */
  isOnOldConnection: boolean;
}

/**
 * The resources of which clients want to hear, and how the upstream learns of them: from requests in the legacy era,
 * from the filter of its one stream of changes in the modern one. The upstream has the subscriptions that clients want, and
 * no others, as soon as no request of theirs is under way.
 */
export class ResourceWatch {
  readonly subscriptions = new Subscriptions();
  readonly #host: ResourceWatchHost;
  readonly #stream: ListenStream;
  readonly #turns = new UriTurns();
  /** The subscriptions that a legacy upstream has, or may have. */
  readonly #held = new Set<string>();
  readonly #flights = new Set<Flight>();
  /** Counts the connections. */
  #connection = 0;
  #isConnected = false;
  #facts: ServerFacts | undefined;

  constructor(host: ResourceWatchHost) {
    this.#host = host;
    this.#stream = new ListenStream({
      ...host,
      wanted: () => ({ uris: this.subscriptions.uris(), taskIds: host.taskIds() }),
    });
  }

  attach(link: Link, facts: ServerFacts): void {
    this.#facts = facts;
    this.#connection++;
    this.#isConnected = true;
    this.#held.clear();
    for (const flight of this.#flights) flight.isOnOldConnection ||= flight.request.isSent;
    if (facts.era === 'modern') this.#stream.attach(link, facts);
    else for (const uri of this.subscriptions.uris()) this.#restore(uri);
  }

  detach(): void {
    this.#isConnected = false;
    this.#held.clear();
    this.#stream.detach();
  }

  /**
   * Called when other tasks are wanted. Resolves, with whether the upstream reports such tasks, when nothing can be
   * missed any more.
   */
  async onTasksChanged(): Promise<boolean> {
    await this.#stream.onWantedChanged();
    return !this.#stream.isUnknown;
  }

  /** Called when a client wants to hear about a resource. */
  subscribe(call: ProviderCall): RunningCall {
    const { caller, ownName: uri, text } = call;
    const intent = this.subscriptions.begin(uri, caller.sessionId, text.target);
    const request = new SubscribeCall(call);
    let isSettled = false;
    const settle = (outcome: Outcome) => {
      if (isSettled) return;
      isSettled = true;
      if (outcome === 'good' && !request.isCancelled) this.subscriptions.succeed(intent);
      else this.subscriptions.fail(intent);
      if (!this.subscriptions.wants(uri)) this.#release(uri);
    };
    this.#turns.run(uri, (done) => {
      // Given up before its turn came.
      if (request.isCancelled || !this.subscriptions.wants(uri)) {
        settle('unsent');
        request.answer();
        done();
        return;
      }
      const flight: Flight = { request, isOnOldConnection: false };
      this.#flights.add(flight);
      request.send(this.#host.send, (outcome) => {
        this.#flights.delete(flight);
        if (flight.isOnOldConnection) this.#restore(uri);
        else if (this.#isConnected && (outcome === 'good' || outcome === 'unknown')) this.#held.add(uri);
        settle(outcome);
        done();
      });
    });
    return {
      cancel: () => {
        request.cancel();
        settle('unsent');
      },
    };
  }

  /**
   * Called when a client does not want to hear about a resource any more. The upstream is told unless another client still
   * does.
   */
  unsubscribe(call: ProviderCall): RunningCall {
    const { caller, ownName: uri } = call;
    const request = new SubscribeCall(call);
    if (!this.subscriptions.remove(uri, caller.sessionId)) {
      request.answer();
      return request;
    }
    this.#turns.run(uri, (done) => {
      if (request.isCancelled || this.subscriptions.wants(uri)) {
        request.answer();
        done();
        return;
      }
      request.send(this.#host.send, (outcome) => {
        if (outcome !== 'unsent') this.#held.delete(uri);
        done();
      });
    });
    return {
      cancel: () => {
        request.cancel();
        this.#release(uri);
      },
    };
  }

  /** Returns the answer to a request that a modern upstream is not sent, for lack of such a method; else `undefined`. */
  ownAnswer({ text, ownName }: ProviderCall): Promise<Reply> | undefined {
    switch (text.message.method) {
      case 'resources/subscribe':
        return modernAnswer(ownName, { ...this.#host, stream: this.#stream, facts: this.#facts });
      case 'resources/unsubscribe':
        void this.#stream.onWantedChanged();
        return Promise.resolve(resultReply({}));
      default:
        return undefined;
    }
  }

  onSessionEnded(sessionId: string): void {
    for (const uri of this.subscriptions.removeSession(sessionId)) this.#release(uri);
  }

  /** Returns a notification in the form in which it is passed on; `undefined` if it is of no use. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    return this.#facts?.era === 'modern' ? this.#stream.take(message) : message;
  }

  /** Called when no client wants to hear about a resource any more. */
  #release(uri: string): void {
    if (this.#facts?.era === 'modern') void this.#stream.onWantedChanged();
    this.#turns.run(uri, (done) => {
      if (this.subscriptions.wants(uri) || !this.#held.delete(uri) || this.#facts?.era === 'modern') return done();
      void this.#host.request('resources/unsubscribe', { uri }).then(done);
    });
  }

  /** A legacy upstream is a new process or session, and clients were told that they hear about a resource. */
  #restore(uri: string): void {
    this.#turns.run(uri, (done) => {
      if (!this.subscriptions.isPromised(uri) || this.#held.has(uri) || this.#facts?.era === 'modern') return done();
      const connection = this.#connection;
      void this.#host.request('resources/subscribe', { uri }).then((isGood) => {
        if (isGood && connection === this.#connection) this.#held.add(uri);
        if (!this.subscriptions.wants(uri)) this.#release(uri);
        done();
      });
    });
  }
}
