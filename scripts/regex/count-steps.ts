import { characterTest, type Instruction, type Program } from './program.ts';

const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
const isWordCharacter = characterTest(String.raw`\w`, '');

export interface Counted {
  readonly steps: number;
  /** The limit was reached, so that `matches` is not complete. */
  readonly isCut: boolean;
  /** The matches, in order. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/**
 * Finds all matches of a pattern in a text by backtracking, as V8 does, and counts the steps. Unlike a time, the count is the
 * same on every machine.
 * @param limit counting stops after so many steps
 */
export function countSteps(program: Program, text: string, limit: number): Counted {
  const { flags } = program;
  const codes = codesOf(text, /[uv]/.test(flags));
  const matcher = new Matcher(program, codes, limit);
  const matches: (readonly [number, number])[] = [];
  const { length } = codes;
  let at = 0;
  while (at <= length && !matcher.isCut) {
    const end = matcher.matchAt(0, at);
    if (end !== undefined) matches.push([at, end]);
    // A caller of a sticky pattern gets nowhere with an empty match, and does not try the next position.
    const isOver = flags.includes('y') && (end === undefined || end === at);
    at = isOver ? Number.POSITIVE_INFINITY : end === undefined || end === at ? at + 1 : end;
  }
  return { steps: matcher.steps, isCut: matcher.isCut, matches };
}

function codesOf(text: string, isUnicode: boolean): Uint32Array {
  if (isUnicode) return Uint32Array.from(text, (character) => character.codePointAt(0)!);
  const codes = new Uint32Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}

class Matcher {
  steps = 0;
  isCut = false;
  readonly #codes: Uint32Array;
  readonly #instructions: readonly Instruction[];
  readonly #registers: number[];
  readonly #limit: number;

  constructor({ instructions, registers }: Program, codes: Uint32Array, limit: number) {
    this.#codes = codes;
    this.#instructions = instructions;
    this.#registers = Array.from({ length: registers }, () => -1);
    this.#limit = limit;
  }

  /** Returns the end of the match that begins at `start`. `stack` has the ways left to try, and registers to restore (`-1 - register`). */
  matchAt(from: number, start: number): number | undefined {
    const stack: number[] = [];
    let [pc, at] = [from, start];
    for (;;) {
      if (++this.steps > this.#limit) {
        this.isCut = true;
        return undefined;
      }
      const instruction = this.#instructions[pc]!;
      if (instruction.does === 'match') return at;
      if (instruction.does === 'jump') pc = instruction.to;
      else if (instruction.does === 'split') {
        stack.push(instruction.second, at);
        pc = instruction.first;
      } else {
        const next = this.#step(instruction, at, stack);
        if (next !== undefined) {
          at = next;
          pc = instruction.does === 'look' ? instruction.to : pc + 1;
          continue;
        }
        for (;;) {
          if (stack.length === 0) return undefined;
          at = stack.pop()!;
          pc = stack.pop()!;
          if (pc >= 0) break;
          this.#registers[-1 - pc] = at;
        }
      }
    }
  }

  /** Returns the position after what the instruction matches. */
  #step(
    instruction: Exclude<Instruction, { readonly does: 'match' | 'jump' | 'split' }>,
    at: number,
    stack: number[],
  ): number | undefined {
    switch (instruction.does) {
      case 'character': {
        const code = this.#codes[instruction.isBackward ? at - 1 : at];
        if (code === undefined || !instruction.fits(code)) return undefined;
        return instruction.isBackward ? at - 1 : at + 1;
      }
      case 'edge':
        return this.#isEdge(instruction, at) ? at : undefined;
      case 'word':
        return (this.#isWord(at - 1) === this.#isWord(at)) === instruction.isNegated ? at : undefined;
      case 'look':
        return (this.matchAt(instruction.from, at) === undefined) === instruction.isNegated ? at : undefined;
      case 'note':
        stack.push(-1 - instruction.register, this.#registers[instruction.register]!);
        this.#registers[instruction.register] = at;
        return at;
      case 'progress':
        return this.#registers[instruction.register] === at ? undefined : at;
      case 'same':
        return this.#sameAt(instruction.registers, at, instruction.isBackward);
    }
  }

  #isEdge({ edge, isLine }: { readonly edge: 'start' | 'end'; readonly isLine: boolean }, at: number): boolean {
    const neighbour = this.#codes[edge === 'start' ? at - 1 : at];
    return neighbour === undefined || (isLine && LINE_ENDS.has(neighbour));
  }

  #isWord(at: number): boolean {
    const code = this.#codes[at];
    return code !== undefined && isWordCharacter(code);
  }

  #sameAt([start, end]: readonly [number, number], at: number, isBackward: boolean): number | undefined {
    const [from, to] = [this.#registers[start]!, this.#registers[end]!];
    if (from < 0 || to < 0) return at;
    const length = to - from;
    const begin = isBackward ? at - length : at;
    for (let index = 0; index < length; index++) {
      this.steps += 1;
      if (this.#codes[begin + index] !== this.#codes[from + index]) return undefined;
    }
    return isBackward ? begin : at + length;
  }
}
