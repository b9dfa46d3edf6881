/**
 * The three literals as states, above those of numbers: a state is the place of the next byte in `LITERALS`, in which NUL
 * ends each literal.
 */
const LITERALS = 'true\0false\0null\0';
const BASE = 32;
const AFTER_T = BASE + LITERALS.indexOf('true') + 1;
const AFTER_F = BASE + LITERALS.indexOf('false') + 1;
const AFTER_N = BASE + LITERALS.indexOf('null') + 1;

/** Returns the state after a literal's first byte, or `undefined` when no literal begins with it. */
export function firstLiteralState(byte: number): number | undefined {
  switch (byte) {
    case 0x74:
      return AFTER_T;
    case 0x66:
      return AFTER_F;
    case 0x6e:
      return AFTER_N;
    default:
      return undefined;
  }
}

/** Returns true for a state between the first byte of a literal and its last one. */
export function isLiteralState(state: number): boolean {
  return state >= BASE;
}

/** Returns the state after one more byte, or `undefined` when the byte does not belong to the literal. */
export function nextLiteralState(state: number, byte: number): number | undefined {
  return LITERALS.charCodeAt(state - BASE) === byte ? state + 1 : undefined;
}

/** Returns true when the literal is complete. */
export function endsLiteral(state: number): boolean {
  return LITERALS.charCodeAt(state - BASE) === 0;
}
