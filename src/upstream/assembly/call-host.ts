import type { ClientFacts, ProviderCall } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { Reply } from '../../wire/reply.ts';
import type { OutgoingCall } from '../calls/outgoing-call.ts';
import type { UpstreamCallsHost } from '../calls/upstream-calls.ts';
import type { Connection } from '../connection/connection.ts';
import type { Link } from '../connection/link.ts';
import type { ConnectionState } from '../connection/machine.ts';
import type { StderrTail } from '../connection/stderr-tail.ts';
import type { Asks } from '../events/asks/asks.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import type { ResourceWatch } from '../events/subscriptions/resource-watch.ts';
import type { DeclaredCapabilities } from '../extensions/declared-capabilities.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import type { UriPointers } from '../pointers/uri-pointers.ts';
import type { UpstreamTasks } from '../tasks/upstream-tasks.ts';
import type { UpstreamOptions } from '../upstream-options.ts';

/** The parts of an upstream that calls need on their way. */
export interface CallParts {
  readonly elicitations: ElicitationIds;
  readonly connection: Pick<Connection, 'state' | 'link' | 'want' | 'renew'>;
  readonly lists: Pick<UpstreamLists, 'sync'>;
  readonly pointers: Pick<UriPointers, 'inReply'>;
  readonly tasks: Pick<UpstreamTasks, 'ownAnswer'>;
  readonly declared: Pick<DeclaredCapabilities, 'ownAnswer'>;
  readonly resources: Pick<ResourceWatch, 'ownAnswer'>;
  readonly asks: Pick<Asks, 'onCallSettled'>;
  readonly stderr: Pick<StderrTail, 'wordsFor'>;
}

/** Gives the calls of an upstream what they need of its other parts. */
export class CallHost implements UpstreamCallsHost {
  readonly entry: UpstreamEntry;
  readonly oneAtATimeBy: readonly string[];
  readonly againHint: string;
  readonly elicitations: ElicitationIds;
  readonly #options: Pick<UpstreamOptions, 'asking' | 'isRenewable'>;
  readonly #parts: CallParts;

  /** @param parts may be completed after this */
  constructor(options: Pick<UpstreamOptions, 'entry' | 'traits' | 'asking' | 'isRenewable'>, parts: CallParts) {
    const { entry, traits } = options;
    this.entry = entry;
    this.oneAtATimeBy = traits.oneAtATimeBy;
    this.againHint = traits.againHint ?? `To start it again: viaduct sync ${entry.key}`;
    this.elicitations = parts.elicitations;
    this.#options = options;
    this.#parts = parts;
  }

  isSerial(): boolean {
    return this.#options.asking.isUnnamed;
  }

  isRenewable(): boolean {
    return this.isSerial() && this.#options.isRenewable?.() === true;
  }

  renew(): void {
    this.#parts.connection.renew('a call of another client was given up');
  }

  state(): ConnectionState {
    return this.#parts.connection.state;
  }

  link(): Link | undefined {
    return this.#parts.connection.link;
  }

  want(): void {
    this.#parts.connection.want(false);
  }

  readTools(): Promise<void> {
    return this.#parts.lists.sync(['tool']);
  }

  publicReply(call: ProviderCall, reply: Reply): Reply {
    return this.#parts.pointers.inReply(call, reply);
  }

  ownAnswer(call: ProviderCall, link: Link): Promise<Reply> | undefined {
    const { tasks, declared, resources } = this.#parts;
    return (
      tasks.ownAnswer(call) ??
      declared.ownAnswer(call) ??
      (link.era === 'modern' ? resources.ownAnswer(call) : undefined)
    );
  }

  onSettled(call: OutgoingCall): void {
    this.#parts.asks.onCallSettled(call);
  }

  lastWords(client: ClientFacts): string {
    return this.#parts.stderr.wordsFor(client);
  }
}
