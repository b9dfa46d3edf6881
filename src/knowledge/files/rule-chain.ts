import type { IgnoreRules } from './ignore-rules.ts';

/** Rules, and where they hold. */
interface Placed {
  readonly rules: IgnoreRules;
  /** The number of characters of a path above the folder of the rules. */
  readonly cut: number;
  /** Path from the folder of the rules down to the walked root: `packages/one/`. */
  readonly above: string;
}

/** All rules that hold in a folder, those of the innermost folder first: they decide. */
export class RuleChain {
  readonly #placed: readonly Placed[];

  constructor(placed: readonly Placed[] = []) {
    this.#placed = placed;
  }

  /** Returns a chain with the rules of a folder. @param folder relative to the root, `''` for that */
  with(rules: IgnoreRules, folder: string): RuleChain {
    return this.#and({ rules, cut: folder === '' ? 0 : folder.length + 1, above: '' });
  }

  /** Returns a chain with the rules of a folder above the root. @param above the way from there to the root, with `/` at its end */
  withOuter(rules: IgnoreRules, above: string): RuleChain {
    return this.#and({ rules, cut: 0, above });
  }

  /** @param path relative to the root; a folder's ends with `/` */
  isIgnored(path: string): boolean {
    for (const { rules, cut, above } of this.#placed) {
      const answer = rules.ask(above === '' ? path.slice(cut) : above + path);
      if (answer !== undefined) return answer;
    }
    return false;
  }

  #and(placed: Placed): RuleChain {
    return new RuleChain([placed, ...this.#placed]);
  }
}
