import { GatewayError } from '../../core/errors.ts';
import { type Throttle, throttle } from '../../core/throttle.ts';
import type { CallContext, ResourceEntry, WorkflowContext, WorkflowResources } from '../define.ts';
import type { ManagedProcess } from './managed-process.ts';
import type { Supervisor } from './supervisor.ts';

const URI = /^process:\/\/(proc-[1-9][0-9]{0,15})\/output$/;
const MIME_TYPE = 'text/plain';
/** Whoever has subscribed is told of changes so often. */
const NEWS_INTERVAL_MS = 200;

/** The output of each process as a resource. Listed are those that all clients may read. */
export class OutputResources implements WorkflowResources {
  readonly #supervisor: Supervisor;
  readonly #onResourceChanged: WorkflowContext<unknown>['onResourceChanged'];
  readonly #news = new Map<string, Throttle>();
  #entries: readonly ResourceEntry[] = [];

  readonly template = {
    uriTemplate: 'process://{id}/output',
    name: 'process-output',
    title: 'Output of a process',
    description: 'The newest of what a process has written on its standard output and standard error',
    mimeType: MIME_TYPE,
  };

  constructor(supervisor: Supervisor, onResourceChanged: WorkflowContext<unknown>['onResourceChanged']) {
    this.#supervisor = supervisor;
    this.#onResourceChanged = onResourceChanged;
  }

  list(): readonly ResourceEntry[] {
    return this.#entries;
  }

  owns(uri: string): boolean {
    return URI.test(uri);
  }

  read(uri: string, context: CallContext): Promise<string> {
    const process = this.#find(uri, context);
  }
}
