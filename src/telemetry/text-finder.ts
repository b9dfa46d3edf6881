/** A part of a text, from `start` up to `end`. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** A transition is kept under state and character in one map: `state * CHARACTERS + character`. */
const CHARACTERS = 0x1_0000;

/**
 * Finds many texts in another one, in a time that grows with that text only: an automaton by Aho and Corasick ("Efficient
 * string matching", 1975). A state is a prefix of one or more of the texts; state 0 is the empty one.
 */
export class TextFinder {
  readonly #transitions = new Map<number, number>();
  /** The length of each state's prefix. */
  readonly #depths: number[] = [0];
  /** The state to continue at if no transition fits: the longest suffix of the state's prefix that is a prefix as well. */
  readonly #fallbacks: number[] = [0];
  /** The length of the longest text with which each state's prefix ends; 0 for none. */
  readonly #wholes: number[] = [0];

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#add(text);
    this.#linkFallbacks();
  }

  /**
   * Finds the texts in `text`, and their beginnings of at least `minPart` characters that are before a `cut`. Parts
   * that overlap are given as one, in the order in which they stand there.
   */
  find(text: string, cut: string, minPart: number): Found[] {
    const found: { start: number; end: number }[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.#next(state, text.charCodeAt(at));
      const end = at + 1;
      const isCut = this.#depths[state]! >= minPart && text.startsWith(cut, end);
      const length = isCut ? this.#depths[state]! : this.#wholes[state]!;
      if (length > 0) addPart(found, end - length, end);
    }
    return found;
  }

  #add(text: string): void {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const key = state * CHARACTERS + text.charCodeAt(at);
      state = this.#transitions.get(key) ?? this.#newState(key, at + 1);
    }
    this.#wholes[state] = text.length;
  }

  #newState(key: number, depth: number): number {
    const state = this.#depths.push(depth) - 1;
    this.#transitions.set(key, state);
    this.#fallbacks.push(0);
    this.#wholes.push(0);
    return state;
  }

  /** Links the fallbacks by depth: the fallback of a state is its parent's fallback, continued by one character. */
  #linkFallbacks(): void {
    const keysByDepth: number[][] = [];
    for (const [key, state] of this.#transitions) {
      const depth = this.#depths[state]!;
      const keys = keysByDepth[depth] ?? [];
      keysByDepth[depth] = keys;
      keys.push(key);
    }
    for (const key of keysByDepth.flat()) {
      const state = this.#transitions.get(key)!;
      const parent = Math.floor(key / CHARACTERS);
      const fallback = parent === 0 ? 0 : this.#next(this.#fallbacks[parent]!, key % CHARACTERS);
      this.#fallbacks[state] = fallback;
      this.#wholes[state] ||= this.#wholes[fallback]!;
    }
  }

  #next(from: number, character: number): number {
    for (let state = from; ; state = this.#fallbacks[state]!) {
      const next = this.#transitions.get(state * CHARACTERS + character);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }
}

/** Adds a part that ends behind all others, and takes in those that it overlaps. */
function addPart(found: { start: number; end: number }[], start: number, end: number): void {
  let first = start;
  while (found.length > 0 && found.at(-1)!.end > start) first = Math.min(first, found.pop()!.start);
  found.push({ start: first, end });
}
