import { bracketsOf, setEnd } from './brackets.ts';

/** A part of a glob. A `group` has alternatives; `repeat` says how often they may occur, or that none of them may. */
export type GlobPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly ranges: readonly CharacterRange[]; readonly isNegated: boolean }
  | { readonly kind: 'group'; readonly repeat: GroupRepeat; readonly alternatives: GlobAlternatives };

export type GlobAlternatives = readonly (readonly GlobPart[])[];

type CharacterRange = readonly [from: string, to: string];

/** `@` once, `?` at most once, `*` any number of times, `+` at least once, `!` anything but this. */
type GroupRepeat = '@' | '?' | '*' | '+' | '!';

export interface Glob {
  readonly alternatives: GlobAlternatives;
  /** The glob begins with `!` and matches what the rest does not match. */
  readonly isNegated: boolean;
}

/** The work of matching grows with each level. */
const MAX_DEPTH = 2;

/** A glob that cannot be used. The message says why. */
export class GlobError extends Error {}

/**
 * Parses a glob with the syntax of bash: `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, `{a..c}`, `@(a|b)`, `?(a)`, `*(a)`, `+(a)`,
 * `!(a)`, a backslash in front of a character, and a `!` in front of the whole glob. A bracket that is not closed is text.
 * @throws GlobError when groups that repeat or exclude are nested too deeply
 */
export function parseGlob(text: string): Glob {
  let start = 0;
  while (text[start] === '!' && text[start + 1] !== '(') start += 1;
  const alternatives = new GlobParser(text, start).alternatives(undefined, text.length, 0);
  return { alternatives, isNegated: start % 2 === 1 };
}

/** Returns why a text cannot be used as a glob; `undefined` if it can. */
export function globProblem(text: string): string | undefined {
  try {
    parseGlob(text);
    return undefined;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

/** Reports a text that cannot be used as a glob: for the `superRefine` of a schema. */
export function checkGlob(text: string, context: { addIssue(message: string): void }): void {
  const problem = globProblem(text);
  if (problem !== undefined) context.addIssue(problem);
}

class GlobParser {
  readonly #text: string;
  readonly #brackets: ReturnType<typeof bracketsOf>;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
    this.#brackets = bracketsOf(text);
  }

  /** Everything up to `end`, split at `separator`. */
  alternatives(separator: '|' | ',' | undefined, end: number, depth: number): GlobPart[][] {
    const alternatives: GlobPart[][] = [[]];
    while (this.#at < end) {
      if (this.#text[this.#at] === separator) {
        alternatives.push([]);
        this.#at += 1;
      } else addPart(alternatives.at(-1)!, this.#part(depth));
    }
    return alternatives;
  }

  #part(depth: number): GlobPart {
    const text = this.#text;
    const at = this.#at;
    const character = text[at]!;
    if ('@?*+!'.includes(character) && text[at + 1] === '(' && this.#brackets.has(at + 1)) {
      this.#at += 1;
      return this.#group(character as GroupRepeat, '|', '@?'.includes(character) ? depth : depth + 1);
    }
    const bracket = this.#brackets.get(at);
    if (character === '(' && bracket !== undefined) return this.#group('@', '|', depth);
    if (character === '{' && bracket?.hasComma === true) return this.#group('@', ',', depth);
    if (character === '{' && bracket?.end === at + 5 && text.slice(at + 2, at + 4) === '..') return this.#range();
    if (character === '[' && setEnd(text, at) !== undefined) return this.#set();
    this.#at += 1;
    if (character === '*') return { kind: 'any' };
    if (character === '?') return { kind: 'one' };
    if (character !== '\\' || this.#at === text.length) return { kind: 'text', text: character };
    return { kind: 'text', text: text[this.#at++]! };
  }

  #group(repeat: GroupRepeat, separator: '|' | ',', depth: number): GlobPart {
    if (depth > MAX_DEPTH)
      throw new GlobError(`groups such as !(…), *(…) and +(…) can be nested ${MAX_DEPTH} deep, not deeper`);
    const { end } = this.#brackets.get(this.#at)!;
    this.#at += 1;
    const alternatives = this.alternatives(separator, end, depth);
    this.#at = end + 1;
    return { kind: 'group', repeat, alternatives };
  }

  /** `{a..c}` */
  #range(): GlobPart {
    const [from, to] = [this.#text[this.#at + 1]!, this.#text[this.#at + 4]!].sort() as [string, string];
    this.#at += 6;
    return { kind: 'set', ranges: [[from, to]], isNegated: false };
  }

  #set(): GlobPart {
    const end = setEnd(this.#text, this.#at)!;
    const isNegated = '!^'.includes(this.#text[this.#at + 1]!);
    const ranges: CharacterRange[] = [];
    let at = this.#at + (isNegated ? 2 : 1);
    const next = (): string => {
      if (this.#text[at] === '\\' && at + 1 < end) at += 1;
      return this.#text[at++]!;
    };
    while (at < end) {
      const from = next();
      const isRange = this.#text[at] === '-' && at + 1 < end;
      if (isRange) at += 1;
      ranges.push([from, isRange ? next() : from]);
    }
    this.#at = end + 1;
    return { kind: 'set', ranges, isNegated };
  }
}

/** Neighbouring texts become one part, and so do neighbouring stars. */
function addPart(parts: GlobPart[], part: GlobPart): void {
  const last = parts.at(-1);
  if (part.kind === 'any' && last?.kind === 'any') return;
  if (part.kind === 'text' && last?.kind === 'text') {
    parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
  } else parts.push(part);
}
