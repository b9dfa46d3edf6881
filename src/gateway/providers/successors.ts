/** A part of the config that runs, by the part of the config that made it. */
interface Identified {
  /** The same for as long as the part may go on. */
  readonly identity: string;
}

/** Keeps, when another config comes, what goes on under it: each running part whose identity is wanted again. */
export class Successors<Running extends Identified> {
  readonly #left: Map<string, Running>;

  /** @param running the parts that run under the config of before */
  constructor(running: readonly Running[]) {
    this.#left = new Map(running.map((part) => [part.identity, part]));
  }

  /** Returns the part of this identity, once; `undefined` if none runs. */
  keep(identity: string): Running | undefined {
    const kept = this.#left.get(identity);
    this.#left.delete(identity);
    return kept;
  }

  /** Returns the parts that have not been kept so far. */
  left(): readonly Running[] {
    return [...this.#left.values()];
  }
}
