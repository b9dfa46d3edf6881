import { readFile } from 'node:fs/promises';
import type { Parser, Tree } from 'web-tree-sitter';
import { grammarFile } from './grammar-files.ts';
import type { LanguageName } from './roles.ts';

/** The number of faults after which a grammar is not tried again. */
const MAX_FAULTS = 3;

/** Steps (a hundred each) that a parse may take for each character: eight times those of ordinary source text. */
const STEPS_PER_CHARACTER = 0.04;
const FREE_STEPS = 200;

/** Ends a parse on a machine that is very busy; steps end it sooner where the text is to blame. */
const MAX_MS = 10_000;

/** The grammars of one thread, each loaded when it is first needed. A parser is used by one file after the other. */
export class Grammars {
  readonly #fileOf: (language: LanguageName) => string;
  readonly #parsers = new Map<LanguageName, Promise<Parser | undefined>>();
  readonly #faults = new Map<LanguageName, string[]>();

  constructor(fileOf: (language: LanguageName) => string = grammarFile) {
    this.#fileOf = fileOf;
  }

  /** Reason for each grammar that is not used any more. */
  get faults(): ReadonlyMap<LanguageName, readonly string[]> {
    return new Map([...this.#faults].filter(([, faults]) => faults.length >= MAX_FAULTS));
  }

  /**
   * Parses a text, and returns what `use` makes of its tree, which is freed then; `undefined` when the grammar is missing
   * or fails, or the text takes too long.
   */
  async parse<T>(language: LanguageName, text: string, use: (tree: Tree) => T): Promise<T | undefined> {
    const parser = await this.#parser(language);
    if (parser === undefined) return undefined;
    try {
      return withTree(parser, text, use);
    } catch (error) {
      // Its memory is in an unknown state: it is left to the end of the thread.
      this.#parsers.delete(language);
      this.#note(language, error);
      return undefined;
    }
  }

  #parser(language: LanguageName): Promise<Parser | undefined> {
    if ((this.#faults.get(language)?.length ?? 0) >= MAX_FAULTS) return Promise.resolve(undefined);
    const known = this.#parsers.get(language) ?? this.#load(language);
    this.#parsers.set(language, known);
    return known;
  }

  async #load(language: LanguageName): Promise<Parser | undefined> {
    try {
      return await loadParser(this.#fileOf(language));
    } catch (error) {
      for (let times = 0; times < MAX_FAULTS; times++) this.#note(language, error);
      return undefined;
    }
  }

  #note(language: LanguageName, error: unknown): void {
    const faults = this.#faults.get(language) ?? [];
    this.#faults.set(language, [...faults, error instanceof Error ? error.message : String(error)]);
  }
}

async function loadParser(file: string): Promise<Parser> {
  const [{ Language, Parser }, bytes] = await Promise.all([import('web-tree-sitter'), readFile(file)]);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(bytes));
  return parser;
}

function withTree<T>(parser: Parser, text: string, use: (tree: Tree) => T): T | undefined {
  const tree = parser.parse(text, null, { progressCallback: limit(text.length) });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}

/** Tells a parser to give up. Steps are counted so that a text gives the same chunks on a slow machine. */
function limit(characters: number): () => boolean {
  let steps = FREE_STEPS + characters * STEPS_PER_CHARACTER;
  const end = performance.now() + MAX_MS;
  return () => {
    steps -= 1;
    return steps < 0 || performance.now() > end;
  };
}
