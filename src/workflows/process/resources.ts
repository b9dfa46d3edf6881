import { type Throttle, throttle } from '../../core/timing/throttle.ts';
import type { ManagedProcess } from '../../process/managed/managed-process.ts';
import type { CallContext, CallingClient, ResourceEntry, WorkflowContext, WorkflowResources } from '../define.ts';
import type { Supervisor } from './supervisor.ts';

const URI = /^process:\/\/(proc-[1-9][0-9]*)\/output$/;
const MIME_TYPE = 'text/plain';
/** The shortest interval between two notifications of a subscriber, in milliseconds; the end is always reported. */
const NEWS_INTERVAL_MS = 200;

/** The output of each process as a resource. Those that all clients may read are listed. */
export class OutputResources implements WorkflowResources {
  readonly #supervisor: Supervisor;
  readonly #context: Pick<WorkflowContext<unknown>, 'onOffer' | 'onResourceChanged'>;
  readonly #news = new Map<string, Throttle>();
  #entries: readonly ResourceEntry[] = [];

  readonly template = {
    uriTemplate: uriOf('{id}'),
    name: 'process-output',
    title: 'Output of a process',
    description: 'The newest of what a process has written on its standard output and standard error',
    mimeType: MIME_TYPE,
  };

  constructor(supervisor: Supervisor, context: Pick<WorkflowContext<unknown>, 'onOffer' | 'onResourceChanged'>) {
    this.#supervisor = supervisor;
    this.#context = context;
  }

  list(): readonly ResourceEntry[] {
    return this.#entries;
  }

  owns(uri: string): boolean {
    return URI.test(uri);
  }

  isFor(uri: string, client: CallingClient): boolean {
    return this.#supervisor.find(idIn(uri), client.id) !== undefined;
  }

  async read(uri: string, { client }: CallContext): Promise<string> {
    return this.#supervisor.get(idIn(uri), client.id).output.read().text;
  }

  async suggest(typed: string): Promise<readonly string[]> {
    const ids = this.#supervisor.shared().map(({ facts }) => facts.id);
    return ids.filter((id) => id.startsWith(typed));
  }

  onListChanged(): void {
    const shared = this.#supervisor.shared();
    if (shared.length === 0 && this.#entries.length === 0) return;
    this.#entries = shared.map(entryFor);
    this.#context.onOffer();
  }

  onOutput({ facts: { id }, isRunning }: ManagedProcess): void {
    const news = this.#news.get(id) ?? throttle(() => this.#tell(id), { burst: 1, intervalMs: NEWS_INTERVAL_MS });
    if (isRunning) {
      this.#news.set(id, news);
      news.request();
    } else {
      this.#news.delete(id);
      news.cancel();
      this.#tell(id);
    }
  }

  stop(): void {
    for (const news of this.#news.values()) news.cancel();
  }

  #tell(id: string): void {
    this.#context.onResourceChanged(uriOf(id));
  }
}

function entryFor({ facts: { id, command, args } }: ManagedProcess): ResourceEntry {
  return {
    uri: uriOf(id),
    name: id,
    title: `Output of ${id}`,
    description: [command, ...args].join(' '),
    mimeType: MIME_TYPE,
  };
}

function uriOf(id: string): string {
  return `process://${id}/output`;
}

function idIn(uri: string): string {
  return URI.exec(uri)?.[1] ?? '';
}
