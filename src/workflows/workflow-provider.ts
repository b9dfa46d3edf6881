import type { Scope } from '../core/access/permissions.ts';
import { ClientRoots } from '../core/folders/client-roots.ts';
import type {
  ClientDirectory,
  EntryKind,
  Listing,
  Provider,
  ProviderCall,
  RunningCall,
} from '../core/providers/provider.ts';
import type { Log } from '../telemetry/log.ts';
import { toByteString } from '../wire/bytes.ts';
import { madeReply } from '../wire/reply.ts';
import { CallFailures } from './call-failures.ts';
import type { Workflow, WorkflowHealth } from './define.ts';
import { ResourceSubscribers } from './resource-subscribers.ts';
import { WorkflowListing } from './workflow-listing.ts';
import { isResourceWithin, WorkflowRequests } from './workflow-requests.ts';

export interface WorkflowProviderOptions {
  readonly name: string;
  readonly workflow: Workflow;
  readonly log: Log;
  readonly directory: ClientDirectory;
}

/** A workflow as a provider: what it offers is listed under its own names and runs here. */
export class WorkflowProvider implements Provider {
  readonly kind = 'workflow';
  readonly id: string;
  readonly prefix = '';
  /** Each tool checks its own arguments. */
  readonly validation = 'off';
  readonly #workflow: Workflow;
  readonly #roots: ClientRoots;
  readonly #listing: WorkflowListing;
  readonly #subscribers: ResourceSubscribers;
  readonly #requests: WorkflowRequests;
  readonly #failures: CallFailures;

  constructor({ name, workflow, log, directory }: WorkflowProviderOptions) {
    this.id = name;
    this.#workflow = workflow;
    this.#roots = new ClientRoots((reason) => log.warn({ event: 'roots' }, reason));
    this.#listing = new WorkflowListing(workflow);
    this.#subscribers = new ResourceSubscribers(directory, (uri, scope) => this.isResourceWithin(uri, scope));
    this.#requests = new WorkflowRequests(workflow, this.#subscribers, this.#roots);
    this.#failures = new CallFailures(log);
  }

  listing(): Listing {
    return this.#listing.now();
  }

  isKnown(): boolean {
    return true;
  }

  /** Returns how the workflow is as far as calls have told: nothing is tried for it. */
  health(): WorkflowHealth {
    return this.#failures.health();
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return kind === 'resource' && this.#workflow.resources?.owns(ownName) === true;
  }

  isResourceWithin(uri: string, scope: Scope): boolean {
    return isResourceWithin(this.#workflow, uri, scope);
  }

  call(call: ProviderCall): RunningCall {
    const running = new AbortController();
    let isCancelled = false;
    const answer = (settle: () => void) => {
      if (!isCancelled) settle();
    };
    this.#requests.run(call, running.signal).then(
      (result) => {
        this.#failures.onSuccess();
        answer(() => call.caller.onReply(madeReply('result', toByteString(result))));
      },
      (error: unknown) => {
        this.#failures.onFailure(error);
        answer(() => call.caller.onFailure(this.#failures.errorOf(call, error)));
      },
    );
    return {
      cancel() {
        isCancelled = true;
        running.abort();
      },
    };
  }

  onRootsChanged(sessionId: string): void {
    this.#roots.forget(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    this.#roots.forget(sessionId);
    this.#subscribers.forget(sessionId);
    this.#workflow.onSessionEnded?.(sessionId);
  }

  /** Tells those who have subscribed to a resource. */
  onResourceChanged(uri: string): void {
    this.#subscribers.tell(uri);
  }
}
