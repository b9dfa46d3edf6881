import { JsonTextError } from '../json-error.ts';

/** The objects and arrays that are open at one place of a text, and the limits to them. */
export class OpenContainers {
  readonly #maxDepth: number;
  readonly #maxMembers: number;
  /** 1 for an object, 0 for an array, one entry a level. */
  readonly #kinds: Uint8Array;
  /** The members of the open object so far, one entry a level. */
  readonly #memberCounts: Uint32Array;
  #depth = 0;

  /** Allows `maxDepth` levels, and `maxMembers` members of each object whose members are counted. */
  constructor(maxDepth: number, maxMembers: number) {
    this.#maxDepth = maxDepth;
    this.#maxMembers = maxMembers;
    this.#kinds = new Uint8Array(maxDepth + 1);
    this.#memberCounts = new Uint32Array(maxDepth + 1);
  }

  /** The number of containers that are open. */
  get depth(): number {
    return this.#depth;
  }

  /** True when the innermost open container is an object. */
  get isInObject(): boolean {
    return this.#kinds[this.#depth] === 1;
  }

  reset(): void {
    this.#depth = 0;
  }

  /** @throws JsonTextError when there are too many levels */
  open(kind: 0 | 1, offset: number): void {
    if (this.#depth === this.#maxDepth) throw new JsonTextError(`nested deeper than ${this.#maxDepth} levels`, offset);
    this.#depth++;
    this.#kinds[this.#depth] = kind;
    this.#memberCounts[this.#depth] = 0;
  }

  close(): void {
    this.#depth--;
  }

  /**
   * Counts a member of the innermost object.
   * @throws JsonTextError when it has too many
   */
  countMember(offset: number): void {
    if (++this.#memberCounts[this.#depth]! > this.#maxMembers) {
      throw new JsonTextError(`an object with more than ${this.#maxMembers} members`, offset);
    }
  }
}
