import ignore, { type Ignore } from 'ignore';

/** The package remembers every path that it was asked about, so it is replaced now and then. */
const MAX_ASKED = 5_000;

/** A pattern becomes a regular expression whose time grows with a power of its stars: real patterns have fewer. */
const MAX_STARS_IN_PART = 3;
const MAX_STARS = 8;

/** The rules of one file, such as `.gitignore`, for the paths below a folder. */
export class IgnoreRules {
  #rules: Ignore;
  #asked = 0;
  /** The number of patterns that are not used because they would take too long. */
  readonly refused: number;

  constructor(text: string) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    const usable = lines.filter(isUsable);
    this.#rules = ignore({ allowRelativePaths: true }).add(usable);
    this.refused = lines.length - usable.length;
  }

  /**
   * Returns whether a path is left out; `undefined` when no rule is about it.
   * @param path relative to the folder of the rules, with `/`; a folder's ends with one
   */
  ask(path: string): boolean | undefined {
    this.#asked += 1;
    if (this.#asked > MAX_ASKED) this.#forget();
    const { ignored, unignored } = this.#rules.test(path);
    return ignored ? true : unignored ? false : undefined;
  }

  #forget(): void {
    this.#rules = ignore({ allowRelativePaths: true }).add(this.#rules);
    this.#asked = 0;
  }
}

function isUsable(line: string): boolean {
  const parts = line.split('/').filter((part) => part !== '**');
  const stars = parts.map((part) => part.split(/\*+/).length - 1);
  const doubles = line.split('/').length - parts.length;
  return stars.every((count) => count <= MAX_STARS_IN_PART) && doubles <= MAX_STARS_IN_PART && sum(stars) <= MAX_STARS;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
