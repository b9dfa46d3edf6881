/**
 * Finds which of a client's uris mean the same resource: it may name one by the public uri and by the server's own. Looks each uri
 * up once, until `forget` says that it may mean another resource.
 */
export class UriAliases {
  readonly #resourceOf: (uri: string) => string | undefined;
  readonly #resources = new Map<string, string>();
  readonly #uris = new Map<string, Set<string>>();
  #isBuilt = false;

  /** @param resourceOf tells which resource a uri means; `undefined` if that is not known */
  constructor(resourceOf: (uri: string) => string | undefined) {
    this.#resourceOf = resourceOf;
  }

  /** Returns the others that mean the same as a uri, out of `all`, which are looked up if they have not been. */
  of(uri: string, all: () => Iterable<string>): readonly string[] {
    const meant = this.#resourceOf(uri);
    if (meant === undefined) return [];
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      for (const one of all()) this.add(one);
    }
    return [...(this.#uris.get(meant) ?? [])];
  }

  /** The client has this uri too, or it may mean something else now. */
  add(uri: string): void {
    if (!this.#isBuilt) return;
    this.remove(uri);
    const resource = this.#resourceOf(uri);
    if (resource === undefined) return;
    this.#resources.set(uri, resource);
    const uris = this.#uris.get(resource);
    if (uris === undefined) this.#uris.set(resource, new Set([uri]));
    else uris.add(uri);
  }

  remove(uri: string): void {
    const resource = this.#resources.get(uri);
    if (resource === undefined) return;
    this.#resources.delete(uri);
    const uris = this.#uris.get(resource);
    uris?.delete(uri);
    if (uris?.size === 0) this.#uris.delete(resource);
  }

  /** Forgets the aliases, because any uri may mean something else now. */
  forget(): void {
    this.#isBuilt = false;
    this.#resources.clear();
    this.#uris.clear();
  }
}
