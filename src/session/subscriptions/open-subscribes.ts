/** A subscribe request that is not answered yet. */
export interface OpenSubscribe {
  /** The client has unsubscribed since. */
  isTakenBack: boolean;
}

/** The subscribe requests of a client that are not answered yet, by their uris. */
export class OpenSubscribes {
  readonly #requests = new Map<string, Set<OpenSubscribe>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(uri: string): boolean {
    return this.#requests.has(uri);
  }

  uris(): Iterable<string> {
    return this.#requests.keys();
  }

  add(uri: string): OpenSubscribe {
    const request: OpenSubscribe = { isTakenBack: false };
    const requests = this.#requests.get(uri);
    if (requests === undefined) this.#requests.set(uri, new Set([request]));
    else requests.add(request);
    this.#size++;
    return request;
  }

  delete(uri: string, request: OpenSubscribe): void {
    const requests = this.#requests.get(uri);
    if (requests?.delete(request) !== true) return;
    this.#size--;
    if (requests.size === 0) this.#requests.delete(uri);
  }

  /** The client does not want what it asks for with these requests any more. */
  takeBack(uri: string): void {
    for (const request of this.#requests.get(uri) ?? []) request.isTakenBack = true;
  }
}
