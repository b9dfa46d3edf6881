import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** One step of a backtracking matcher. `first`, `second`, `from` and `to` are indices of instructions. */
export type Instruction =
  | { readonly does: 'character'; readonly fits: CharacterTest; readonly isBackward: boolean }
  | { readonly does: 'split'; readonly first: number; readonly second: number }
  | { readonly does: 'jump'; readonly to: number }
  | { readonly does: 'edge'; readonly edge: 'start' | 'end'; readonly isLine: boolean }
  | { readonly does: 'word'; readonly isNegated: boolean }
  | { readonly does: 'look'; readonly from: number; readonly to: number; readonly isNegated: boolean }
  | { readonly does: 'note'; readonly register: number }
  | { readonly does: 'progress'; readonly register: number }
  | { readonly does: 'same'; readonly registers: readonly [start: number, end: number]; readonly isBackward: boolean }
  | { readonly does: 'match' };

/** A larger bound counts as none: such a repetition takes time like an unbounded one. */
export const LARGEST_BOUND = 256;

/** A regular expression as instructions of a backtracking matcher. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly registers: number;
  readonly flags: string;
}

/** @throws SyntaxError when it is no regular expression */
export function parsePattern(source: string, flags: string): AST.Pattern {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  return new RegExpParser().parsePattern(source, 0, source.length, mode);
}

export function compile(pattern: AST.Pattern, flags: string): Program {
  const compiler = new Compiler(flags);
  compiler.alternatives(pattern.alternatives, false);
  compiler.add({ does: 'match' });
  return { instructions: compiler.instructions, registers: compiler.registers, flags };
}

class Compiler {
  readonly instructions: Instruction[] = [];
  registers = 0;
  readonly #flags: string;
  readonly #groups = new Map<AST.CapturingGroup, readonly [number, number]>();

  constructor(flags: string) {
    this.#flags = flags;
  }

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  alternatives(alternatives: readonly AST.Alternative[], isBackward: boolean): void {
    const jumps: number[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      const isLast = index === alternatives.length - 1;
      const split = isLast ? undefined : this.add({ does: 'match' });
      for (const element of isBackward ? [...elements].reverse() : elements) this.#element(element, isBackward);
      if (split === undefined) continue;
      jumps.push(this.add({ does: 'match' }));
      this.instructions[split] = { does: 'split', first: split + 1, second: this.instructions.length };
    }
    for (const jump of jumps) this.instructions[jump] = { does: 'jump', to: this.instructions.length };
  }

  #element(element: AST.Element, isBackward: boolean): void {
    switch (element.type) {
      case 'Group':
        this.alternatives(element.alternatives, isBackward);
        break;
      case 'CapturingGroup':
        this.#capturingGroup(element, isBackward);
        break;
      case 'Quantifier':
        this.#quantifier(element, isBackward);
        break;
      case 'Assertion':
        this.#assertion(element);
        break;
      case 'Backreference':
        this.#backreference(element, isBackward);
        break;
      default:
        this.add({ does: 'character', fits: characterTest(element.raw, this.#flags), isBackward });
    }
  }

  #capturingGroup(group: AST.CapturingGroup, isBackward: boolean): void {
    const registers = [this.registers++, this.registers++] as const;
    this.#groups.set(group, registers);
    const isNeeded = group.references.length > 0;
    if (isNeeded) this.add({ does: 'note', register: registers[isBackward ? 1 : 0] });
    this.alternatives(group.alternatives, isBackward);
    if (isNeeded) this.add({ does: 'note', register: registers[isBackward ? 0 : 1] });
  }

  #backreference({ resolved }: AST.Backreference, isBackward: boolean): void {
    const groups = [resolved].flat().map((group) => this.#groups.get(group));
    const registers = groups.find((known) => known !== undefined);
    // A reference to a group that comes later matches the empty text.
    if (registers !== undefined) this.add({ does: 'same', registers, isBackward });
  }

  #assertion(assertion: AST.Assertion): void {
    if (assertion.kind === 'word') {
      this.add({ does: 'word', isNegated: assertion.negate });
    } else if (assertion.kind === 'start' || assertion.kind === 'end') {
      this.add({ does: 'edge', edge: assertion.kind, isLine: this.#flags.includes('m') });
    } else this.#look(assertion as AST.LookaroundAssertion);
  }

  #look({ alternatives, kind, negate }: AST.LookaroundAssertion): void {
    const look = this.add({ does: 'match' });
    this.alternatives(alternatives, kind === 'lookbehind');
    this.add({ does: 'match' });
    this.instructions[look] = { does: 'look', from: look + 1, to: this.instructions.length, isNegated: negate };
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier, isBackward: boolean): void {
    for (let count = 0; count < Math.min(min, LARGEST_BOUND); count++) this.#element(element, isBackward);
    const isBounded = max <= LARGEST_BOUND;
    const splits: number[] = [];
    for (let count = min; count < (isBounded ? max : min + 1); count++) {
      splits.push(this.add({ does: 'match' }));
      this.#iteration(element, isBackward);
    }
    if (!isBounded) this.add({ does: 'jump', to: splits[0]! });
    const behind = this.instructions.length;
    for (const split of splits) {
      const [first, second] = greedy ? [split + 1, behind] : [behind, split + 1];
      this.instructions[split] = { does: 'split', first, second };
    }
  }

  /** ECMAScript rejects an iteration that matched nothing. */
  #iteration(element: AST.QuantifiableElement, isBackward: boolean): void {
    const register = canBeEmpty(element) ? this.registers++ : undefined;
    if (register !== undefined) this.add({ does: 'note', register });
    this.#element(element, isBackward);
    if (register !== undefined) this.add({ does: 'progress', register });
  }
}

function canBeEmpty(element: AST.Element): boolean {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.every(canBeEmpty));
    case 'Quantifier':
      return element.min === 0 || canBeEmpty(element.element);
    case 'Assertion':
    case 'Backreference':
      return true;
    default:
      return false;
  }
}

/** Tells whether the character with this code fits. */
export type CharacterTest = (code: number) => boolean;

const tests = new Map<string, CharacterTest>();
/** Smaller codes are looked up in an array. */
const USUAL_CODES = 0x300;

/** Returns a test for one class or character of a pattern. The regular expression engine itself decides. */
export function characterTest(raw: string, flags: string): CharacterTest {
  const ownFlags = flags.replaceAll(/[^isuv]/g, '');
  const key = `${ownFlags}/${raw}`;
  const test = tests.get(key) ?? newCharacterTest(new RegExp(`^(?:${raw})$`, ownFlags));
  tests.set(key, test);
  return test;
}

function newCharacterTest(pattern: RegExp): CharacterTest {
  const fits = (code: number) => pattern.test(String.fromCodePoint(code));
  const usual = Uint8Array.from({ length: USUAL_CODES }, (_, code) => Number(fits(code)));
  return (code) => (code < USUAL_CODES ? usual[code] === 1 : fits(code));
}
