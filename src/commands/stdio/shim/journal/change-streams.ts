import { valueAt } from '../lines/line.ts';
import type { ClientRequest } from './client-requests.ts';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
const FLAGS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const;

/** The client's open `subscriptions/listen` (2026-07-28), by their ids: whether the client has seen the acknowledgement. */
export class ChangeStreams {
  readonly #acknowledged = new Set<string>();
  /** Those whose acknowledgement the client has seen from another gateway. */
  readonly #repeated = new Set<string>();

  /** Takes an acknowledgement. Returns false if the client has seen one. */
  acknowledge(id: string): boolean {
    this.#acknowledged.add(id);
    return !this.#repeated.delete(id);
  }

  /** The stream has ended. */
  end(id: string): void {
    this.#acknowledged.delete(id);
    this.#repeated.delete(id);
  }

  /** The streams are asked for again, of another gateway. Returns the messages that tell the client that lists may have changed. */
  repeat(streams: readonly ClientRequest[]): readonly string[] {
    const seen = streams.filter(({ id }) => this.#acknowledged.has(id));
    for (const { id } of seen) this.#repeated.add(id);
    return seen.flatMap(noticesFor);
  }
}

/** Returns the id of the stream that a notification names, as its client spells it. */
export function streamOf(notification: unknown): string | undefined {
  const id = valueAt(notification, 'params', '_meta', SUBSCRIPTION_ID);
  return id === undefined ? undefined : JSON.stringify(id);
}

function noticesFor({ id, text }: ClientRequest): readonly string[] {
  const wanted = valueAt(JSON.parse(String(text)), 'params', 'notifications');
  return Object.entries(FLAGS)
    .filter(([, flag]) => valueAt(wanted, flag) === true)
    .map(
      ([list]) =>
        `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed","params":{"_meta":{"${SUBSCRIPTION_ID}":${id}}}}\n`,
    );
}
