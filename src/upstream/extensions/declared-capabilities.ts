import type { ProviderCall } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { DeclaredCache } from '../../core/stores/declared-cache.ts';
import { type DeclaringServer, undeclared } from '../../era/declared.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** The capabilities that an upstream declared when it was connected last, in this run or in an earlier one. */
export class DeclaredCapabilities {
  readonly #entry: UpstreamEntry;
  readonly #cache: DeclaredCache;
  #server: DeclaringServer | undefined;
  #known: Capabilities | undefined;

  constructor(entry: UpstreamEntry, cache: DeclaredCache) {
    this.#entry = entry;
    this.#cache = cache;
    this.#known = cache.load(entry);
  }

  get known(): Capabilities | undefined {
    return this.#known;
  }

  /** Takes the capabilities of a connected server. Returns true if they differ from before. */
  take(server: DeclaringServer): boolean {
    this.#server = server;
    const isNew = JSON.stringify(server.capabilities) !== JSON.stringify(this.#known);
    this.#known = server.capabilities;
    if (isNew) this.#cache.save(this.#entry, server.capabilities);
    return isNew;
  }

  /** Returns the answer to a call that the server is not sent, because it has not declared that it knows such. */
  ownAnswer({ text }: ProviderCall): Promise<Reply> | undefined {
    const what = this.#server === undefined ? undefined : undeclared(text.message.method, this.#server);
    if (what === undefined) return undefined;
    const message = `${this.#entry.key}: Method not found: ${text.message.method} (its server does not declare ${what})`;
    return Promise.resolve(errorReply({ code: -32601, message }));
  }
}
