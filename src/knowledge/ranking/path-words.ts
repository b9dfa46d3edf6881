import { compound, partTerms } from './terms.ts';
import { wordsOf } from './words.ts';

/** Names of files that say what they are to their folder: the folder's name says what they are about. */
const ENTRY = /^(?:mod|lib|main|index|init|__init__|__main__)$/;

/** Facts about a file that its path tells. */
export interface PathWords {
  /** Terms of the name that says what the file is about. */
  readonly name: readonly string[];
  /** The name in the form of `compound`. */
  readonly whole: string;
  /** Terms of the names of the folders around it, outermost first. */
  readonly folders: readonly (readonly string[])[];
  /** The file stands for its folder, and may only pass on what is in it. */
  readonly isEntry: boolean;
}

const KEPT = 20_000;
const known = new Map<string, PathWords>();

/** Returns the words of a path that is relative to its root. */
export function pathWords(path: string): PathWords {
  const found = known.get(path);
  if (found !== undefined) return found;
  const words = read(path.split('/'));
  if (known.size >= KEPT) known.clear();
  known.set(path, words);
  return words;
}

function read(parts: string[]): PathWords {
  const file = parts.pop()!.replace(/(?<!^)\.[^.]*$/, '');
  const isEntry = ENTRY.test(file);
  const name = isEntry ? (parts.pop() ?? file) : file;
  return { name: termsIn(name), whole: compound(name.replaceAll(/[-.]/g, '')), folders: parts.map(termsIn), isEntry };
}

const termsIn = (text: string): string[] => wordsOf(text).flatMap(partTerms);
