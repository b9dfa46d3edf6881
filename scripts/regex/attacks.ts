import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { type CharacterTest, characterTest } from './program.ts';

/** Texts of any length: `before`, then `pumped` any number of times, then `after`. */
export interface Attack {
  /** The pattern needs `pumped` so many times to get past it. */
  readonly least: number;
  readonly before: string;
  readonly pumped: string;
  readonly after: string;
}

export function attackText({ before, pumped, after }: Attack, count: number): string {
  return before + pumped.repeat(count) + after;
}

/** Quantifiers with a smaller maximum are not attacked. */
const LEAST_REPETITIONS = 10;
const MAX_PUMPS = 6;
const MAX_CHARACTERS = 12;
/** Ends that most patterns do not match. */
const REJECTED = ['', '\n'];
/** Characters that patterns tell apart. */
const CANDIDATES = Array.from(` aAeE0_-.:=/\\"'\`#+*<>{}[]()|,;@?&!$%^~\t\n\r\0é\u2028\ud83d`);

/**
 * Yields texts on which a backtracking matcher may take long. For each repetition in the pattern: a text that leads to it, what
 * it repeats, and an end on which the match fails. Also texts that repeat everything up to the repetition, because a pattern
 * without `^` starts again at each of them.
 */
export function* attacksOn(pattern: AST.Pattern, flags: string): Generator<Attack> {
  const sampler = new Sampler(pattern, flags);
  const { characters } = sampler;
  const ends = ['', ...characters];
  for (const character of characters)
    for (const after of ends) yield { least: 0, before: '', pumped: character, after };
  for (const quantifier of repetitionsOf(pattern)) {
    const before = sampler.pathTo(quantifier);
    const behind = sampler.pathBehind(quantifier);
    const least = quantifier.min;
    for (const unit of sampler.pumps(quantifier.element)) {
      const repeated = unit.repeat(Math.max(1, least));
      for (const after of new Set([...ends, behind, ...ends.map((end) => behind + end)])) {
        yield { least, before, pumped: unit, after };
        for (const end of REJECTED) yield { least: 0, before: '', pumped: before + repeated + after, after: end };
      }
      for (const end of ends) yield { least: 0, before: '', pumped: before + repeated, after: end };
      for (const glue of characters) yield { least, before, pumped: unit + glue, after: '' };
    }
  }
}

function repetitionsOf(pattern: AST.Pattern): AST.Quantifier[] {
  const found: AST.Quantifier[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max >= LEAST_REPETITIONS) found.push(node);
    },
  });
  return found;
}

/** Makes texts that match parts of a pattern. */
class Sampler {
  /** One character for each group of characters that all parts of the pattern treat alike. */
  readonly characters: readonly string[];
  readonly #flags: string;

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags;
    this.characters = differing(pattern, flags);
  }

  /** Returns a short text that matches from the beginning of the pattern up to `node`. */
  pathTo(node: AST.Node): string {
    return alternativesAround(node).reduce(
      (text, [elements, index]) => this.#sampleOf(elements.slice(0, index)) + text,
      '',
    );
  }

  /** Returns a short text that matches from behind `node` to the end of the pattern. */
  pathBehind(node: AST.Node): string {
    return alternativesAround(node).reduce(
      (text, [elements, index]) => text + this.#sampleOf(elements.slice(index + 1)),
      '',
    );
  }

  /** Returns texts that one round of a repetition matches. */
  pumps(element: AST.QuantifiableElement): string[] {
    if (element.type !== 'Group' && element.type !== 'CapturingGroup') {
      const fits = this.#test(element.raw);
      const fitting = this.characters.filter(fits);
      return fitting.length > 0 ? fitting.slice(0, MAX_PUMPS) : [this.#sample(element)];
    }
    const each = element.alternatives.flatMap(({ elements }) => this.#variants(elements));
    const pairs = each.flatMap((one) => each.filter((other) => other !== one).map((other) => one + other));
    return [...new Set([...each, ...pairs])].filter((text) => text !== '').slice(0, MAX_PUMPS);
  }

  /** Returns samples that differ in the first class of characters. */
  #variants(elements: readonly AST.Element[]): string[] {
    const first = elements.findIndex((element) => element.type === 'CharacterClass' || element.type === 'CharacterSet');
    if (first === -1) return [this.#sampleOf(elements)];
    const fits = this.#test((elements[first] as AST.CharacterClass).raw);
    const head = this.#sampleOf(elements.slice(0, first));
    const tail = this.#sampleOf(elements.slice(first + 1));
    return this.characters
      .filter(fits)
      .slice(0, MAX_PUMPS)
      .map((character) => head + character + tail);
  }

  #test(raw: string): (character: string) => boolean {
    const fits = characterTest(raw, this.#flags);
    return (character) => fits(character.codePointAt(0)!);
  }

  #sampleOf(elements: readonly AST.Element[]): string {
    return elements.map((element) => this.#sample(element)).join('');
  }

  #sample(element: AST.Element): string {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#shortest(element.alternatives);
      case 'Quantifier':
        return this.#sample(element.element).repeat(Math.min(element.min, 64));
      case 'Assertion':
        return element.kind === 'lookbehind' && !element.negate ? this.#shortest(element.alternatives) : '';
      case 'Backreference':
        return '';
      case 'Character':
        return String.fromCodePoint(element.value);
      default:
        return this.characters.find(this.#test(element.raw)) ?? '';
    }
  }

  #shortest(alternatives: readonly AST.Alternative[]): string {
    const samples = alternatives.map(({ elements }) => this.#sampleOf(elements));
    return samples.reduce((best, next) => (next.length < best.length ? next : best));
  }
}

/** Returns the alternatives around a node, the innermost first, and its index in each. */
function alternativesAround(node: AST.Node): (readonly [elements: readonly AST.Element[], index: number])[] {
  const found: (readonly [readonly AST.Element[], number])[] = [];
  for (let inner = node, outer = node.parent; outer !== null; inner = outer, outer = outer.parent)
    if (outer.type === 'Alternative') found.push([outer.elements, outer.elements.indexOf(inner as AST.Element)]);
  return found;
}

/** Returns one character for each group of characters that all parts of a pattern treat alike. */
function differing(pattern: AST.Pattern, flags: string): string[] {
  const parts = new Map<string, CharacterTest>();
  const literals = new Set<string>();
  const add = ({ raw, parent }: AST.Node) => {
    if (parent?.type === 'Alternative' || parent?.type === 'Quantifier') parts.set(raw, characterTest(raw, flags));
  };
  visitRegExpAST(pattern, {
    onCharacterEnter(node) {
      literals.add(String.fromCodePoint(node.value));
      add(node);
    },
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  });
  const byFit = new Map<string, string>();
  for (const character of [...CANDIDATES, ...literals]) {
    const fit = [...parts.values()].map((fits) => Number(fits(character.codePointAt(0)!))).join('');
    if (!byFit.has(fit)) byFit.set(fit, character);
  }
  return [...byFit.values()].slice(0, MAX_CHARACTERS);
}
