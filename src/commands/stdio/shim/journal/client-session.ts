import { copyOf, type Line, parsed, valueAt } from '../lines/line.ts';
import type { ClientRequest } from './client-requests.ts';

/** The most resource subscriptions and bytes of them with which a session can be made again. */
const MAX_SUBSCRIPTIONS = 10_000;
const MAX_SESSION_BYTES = 4 * 1024 * 1024;

/** Capabilities that a gateway has by itself; others come and go with the servers behind it. */
const PROMISED = ['tools', 'prompts', 'resources', 'completions', 'logging', 'tasks'] as const;

const LISTS = ['tools', 'prompts', 'resources'] as const;

/** The requests that make the client's session, once a gateway has granted them (revisions up to 2025-11-25). */
export class ClientSession {
  readonly #subscriptions = new Map<string, ClientRequest>();
  #subscriptionBytes = 0;
  #initialize: ClientRequest | undefined;
  #initialized: Buffer | undefined;
  #level: ClientRequest | undefined;
  /** The result of `initialize`. */
  #agreement: unknown;
  #problem: string | undefined;

  /** The reason why the session cannot be made again, if so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get initialize(): ClientRequest | undefined {
    return this.#initialize;
  }

  get initialized(): Buffer | undefined {
    return this.#initialized;
  }

  /** Returns the requests after the opening. */
  settings(): readonly ClientRequest[] {
    return [...(this.#level === undefined ? [] : [this.#level]), ...this.#subscriptions.values()];
  }

  onInitialized(line: Line): void {
    this.#initialized ??= copyOf(line);
  }

  /** Takes the answer to a request that makes the session. */
  onAnswer(request: ClientRequest, answer: Line): void {
    const result = valueAt(parsed(answer), 'result');
    if (result === undefined || request.text === undefined) return;
    if (request.method === 'initialize') {
      this.#initialize = request;
      this.#agreement = result;
    } else if (request.method === 'logging/setLevel') this.#level = request;
    else if (request.method === 'resources/subscribe') this.#subscribe(uriIn(request.text), request);
    else this.#unsubscribe(uriIn(request.text));
  }

  /** Returns the way in which another gateway's answer to `initialize` offers less than the client was promised, if so. */
  differenceIn(answer: Line): string | undefined {
    const result = valueAt(parsed(answer), 'result');
    if (result === undefined) return 'it refuses the session';
    const [version, before] = ['protocolVersion', 'capabilities'].map((name) => valueAt(this.#agreement, name));
    const spoken = valueAt(result, 'protocolVersion');
    if (spoken !== version) return `it speaks protocol version ${String(spoken)} instead of ${String(version)}`;
    const missing = PROMISED.find((name) => !offers(valueAt(result, 'capabilities', name), valueAt(before, name)));
    return missing === undefined ? undefined : `it does not offer the capability "${missing}" as before`;
  }

  /** Returns the messages that tell the client that lists may have changed. */
  listNotices(): readonly string[] {
    if (this.#initialized === undefined) return [];
    return LISTS.filter((list) => valueAt(this.#agreement, 'capabilities', list, 'listChanged') === true).map(
      (list) => `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}\n`,
    );
  }

  #subscribe(uri: string, request: ClientRequest): void {
    this.#unsubscribe(uri);
    this.#subscriptionBytes += request.text?.length ?? 0;
    this.#subscriptions.set(uri, request);
    if (this.#subscriptions.size > MAX_SUBSCRIPTIONS || this.#subscriptionBytes > MAX_SESSION_BYTES)
      this.#problem = 'the client has too many subscriptions';
  }

  #unsubscribe(uri: string): void {
    this.#subscriptionBytes -= this.#subscriptions.get(uri)?.text?.length ?? 0;
    this.#subscriptions.delete(uri);
  }
}

function uriIn(request: Buffer): string {
  return String(valueAt(JSON.parse(request.toString()), 'params', 'uri'));
}

/** Returns whether a capability is there with all that it was promised with. */
function offers(offered: unknown, promised: unknown): boolean {
  if (promised === undefined || promised === false) return true;
  if (typeof promised !== 'object' || promised === null) return offered === promised;
  if (typeof offered !== 'object' || offered === null) return false;
  return Object.entries(promised).every(([name, value]) => offers(valueAt(offered, name), value));
}
