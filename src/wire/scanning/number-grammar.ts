/** The grammar of numbers (RFC 8259 section 6) as states; they lie above the scanner's other states. */
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

const NUMBER_MINUS = 10;
const NUMBER_ZERO = 11;
const NUMBER_INTEGER = 12;
const NUMBER_DOT = 13;
const NUMBER_FRACTION = 14;
const NUMBER_E = 15;
const NUMBER_SIGN = 16;
const NUMBER_EXPONENT = 17;

export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Returns the state after a number's first byte, or `undefined` when no number begins so. */
export function firstNumberState(byte: number): number | undefined {
  if (byte === MINUS) return NUMBER_MINUS;
  if (byte === ZERO) return NUMBER_ZERO;
  return isDigit(byte) ? NUMBER_INTEGER : undefined;
}

/** Returns true if the number may end in this state. */
export function endsNumber(state: number): boolean {
  return state === NUMBER_ZERO || state === NUMBER_INTEGER || state === NUMBER_FRACTION || state === NUMBER_EXPONENT;
}

/** Returns the state after one more byte, or `undefined` when the byte does not belong to the number. */
export function nextNumberState(state: number, byte: number): number | undefined {
  switch (state) {
    case NUMBER_MINUS:
      if (byte === ZERO) return NUMBER_ZERO;
      return isDigit(byte) ? NUMBER_INTEGER : undefined;
    case NUMBER_ZERO:
    case NUMBER_INTEGER:
      if (isDigit(byte)) return state === NUMBER_INTEGER ? NUMBER_INTEGER : undefined;
      if (byte === DOT) return NUMBER_DOT;
      return byte === LOWER_E || byte === UPPER_E ? NUMBER_E : undefined;
    case NUMBER_DOT:
      return isDigit(byte) ? NUMBER_FRACTION : undefined;
    case NUMBER_FRACTION:
      if (isDigit(byte)) return NUMBER_FRACTION;
      return byte === LOWER_E || byte === UPPER_E ? NUMBER_E : undefined;
    case NUMBER_E:
      if (byte === PLUS || byte === MINUS) return NUMBER_SIGN;
      return isDigit(byte) ? NUMBER_EXPONENT : undefined;
    default:
      return isDigit(byte) ? NUMBER_EXPONENT : undefined;
  }
}
