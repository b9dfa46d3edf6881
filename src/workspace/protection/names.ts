import type { ProtectedName, Relation } from './rules.ts';

/**
 * Returns a name in the form in which file systems compare names that do not tell capitals from small letters: in one
 * case, composed, and without the characters that HFS+ ignores. More names are equal here than on any one file system,
 * which does no harm.
 */
export function plainName(name: string): string {
  if (SIMPLE.test(name)) return name.toLowerCase();
  const composed = name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Some letters have capitals that are those of others, and some capitals have no small letter of their own.
  return composed.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

const SIMPLE = /^[ -~]*$/;

export function isSameName(one: string, other: string): boolean {
  return one === other || plainName(one) === plainName(other);
}

interface Part {
  readonly text: string;
  /** True if it is only the end of the name. */
  readonly isEnd: boolean;
}

/** A pattern of names that was read once. */
export class NamePattern {
  readonly what: string;
  /** Its parts that are whole names, up to the first that is not, as they are written. */
  readonly literals: readonly string[];
  readonly #parts: readonly Part[];

  constructor({ pattern, what }: ProtectedName) {
    this.what = what;
    const names = pattern.split('/');
    const firstOpen = names.findIndex((name) => name.startsWith('*'));
    this.literals = firstOpen === -1 ? names : names.slice(0, firstOpen);
    this.#parts = names.map((name) => {
      const isEnd = name.startsWith('*');
      return { text: plainName(isEnd ? name.slice(1) : name), isEnd };
    });
  }

  /**
   * Returns the relation of a path to a file or folder of these names. `names` are plain names from the root of the file system
   * on.
   */
  relationOf(names: readonly string[]): Relation | undefined {
    for (let from = 0; from < names.length; from++) {
      const rest = names.slice(from, from + this.#parts.length);
      if (!rest.every((name, index) => matches(this.#parts[index]!, name))) continue;
      if (rest.length < this.#parts.length) return 'above';
      return from + rest.length === names.length ? 'same' : 'inside';
    }
    return undefined;
  }
}

function matches({ text, isEnd }: Part, name: string): boolean {
  return isEnd ? name.endsWith(text) : name === text;
}
