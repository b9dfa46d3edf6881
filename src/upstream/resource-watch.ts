import { callerWith } from '../core/caller.ts';
import type { ProviderCall } from '../core/provider.ts';
import { Subscriptions } from '../core/subscriptions.ts';
import { canSubscribe } from '../era/subscription.ts';
import type { Log } from '../telemetry/log.ts';
import type { NotificationMessage } from '../wire/message.ts';
import { errorReply, type Reply, resultReply } from '../wire/reply.ts';
import type { ServerFacts } from './handshake.ts';
import type { Link } from './link.ts';
import { ListenStream } from './listen-stream.ts';

export interface ResourceWatchHost {
  readonly upstream: string;
  readonly log: Log;
  /** Sends a request whose failure changes nothing for anybody. */
  request(method: string, params: unknown): void;
  /** Tasks of which clients want to hear, too. */
  taskIds(): readonly string[];
  /** Lists may have changed while nobody listened. */
  onMissed(): void;
}

/**
 * The resources of which clients want to hear, and how the upstream learns of them: from requests in the legacy era,
 * from the filter of its one stream of changes in the modern one.
 */
export class ResourceWatch {
  readonly subscriptions = new Subscriptions();
  readonly #host: ResourceWatchHost;
  readonly #stream: ListenStream;
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
    if (facts.era === 'modern') this.#stream.attach(link, facts);
    else for (const uri of this.subscriptions.uris()) this.#host.request('resources/subscribe', { uri });
  }

  detach(): void {
    this.#stream.detach();
  }

  /** Other tasks are wanted. Resolves, to whether the upstream tells of such, when nothing is missed any more. */
  async onTasksChanged(): Promise<boolean> {
    await this.#stream.onWantedChanged();
    return !this.#stream.isUnknown;
  }

  /** The call, after whose good answer its client counts as one that wants to hear. */
  subscribing(call: ProviderCall): ProviderCall {
    const { caller, ownName, text } = call;
    return {
      ...call,
      caller: callerWith(caller, {
        onReply: (reply) => {
          if (reply.outcome === 'result') this.subscriptions.add(ownName, caller.sessionId, text.target);
          caller.onReply(reply);
        },
      }),
    };
  }

  /** What a modern upstream is not asked, because it has no such method; `undefined` for what it is asked. */
  ownAnswer({ text, ownName, caller }: ProviderCall): Promise<Reply> | undefined {
    switch (text.message.method) {
      case 'resources/subscribe':
        if (!canSubscribe(this.#facts?.capabilities ?? {})) {
          const message = `${this.#host.upstream}: it does not tell of changes of resources`;
          return Promise.resolve(errorReply({ code: -32601, message }));
        }
        this.subscriptions.add(ownName, caller.sessionId, text.target);
        return this.#stream.onWantedChanged().then(() => resultReply({}));
      case 'resources/unsubscribe':
        void this.#stream.onWantedChanged();
        return Promise.resolve(resultReply({}));
      default:
        return undefined;
    }
  }

  onSessionEnded(sessionId: string): void {
    const left = this.subscriptions.removeSession(sessionId);
    if (left.length === 0) return;
    if (this.#facts?.era === 'modern') void this.#stream.onWantedChanged();
    else for (const uri of left) this.#host.request('resources/unsubscribe', { uri });
  }

  /** A notification as it is to be passed on; `undefined` where it is of no use. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    return this.#facts?.era === 'modern' ? this.#stream.take(message) : message;
  }
}
