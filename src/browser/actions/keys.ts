/** A key of a keyboard as the DevTools protocol wants it. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string;
  /** Bits: 8 is Shift. */
  readonly modifiers?: number;
}

const SHIFT = 8;

export const ENTER: Key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
const TAB: Key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

/** Keys of a US keyboard that are neither letters nor digits: code, number, character without and with Shift. */
const SIGNS: readonly (readonly [code: string, number: number, plain: string, shifted: string])[] = [
  ['Space', 32, ' ', ''],
  ['Semicolon', 186, ';', ':'],
  ['Equal', 187, '=', '+'],
  ['Comma', 188, ',', '<'],
  ['Minus', 189, '-', '_'],
  ['Period', 190, '.', '>'],
  ['Slash', 191, '/', '?'],
  ['Backquote', 192, '`', '~'],
  ['BracketLeft', 219, '[', '{'],
  ['Backslash', 220, '\\', '|'],
  ['BracketRight', 221, ']', '}'],
  ['Quote', 222, "'", '"'],
];

const SHIFTED_DIGITS = ')!@#$%^&*(';

const KEYS = new Map<string, Key>([['\n', ENTER], ['\t', TAB], ...signs(), ...digits(), ...letters()]);

/** Returns the key that makes a character; `undefined` if a US keyboard has none. */
export function keyFor(character: string): Key | undefined {
  return KEYS.get(character);
}

function made(character: string, code: string, windowsVirtualKeyCode: number, modifiers = 0): [string, Key] {
  return [character, { key: character, text: character, code, windowsVirtualKeyCode, modifiers }];
}

function signs(): [string, Key][] {
  return SIGNS.flatMap(([code, number, plain, shifted]) => [
    made(plain, code, number),
    ...(shifted === '' ? [] : [made(shifted, code, number, SHIFT)]),
  ]);
}

function digits(): [string, Key][] {
  return SHIFTED_DIGITS.split('').flatMap((shifted, digit) => [
    made(String(digit), `Digit${digit}`, 48 + digit),
    made(shifted, `Digit${digit}`, 48 + digit, SHIFT),
  ]);
}

function letters(): [string, Key][] {
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    .split('')
    .flatMap((letter) => [
      made(letter.toLowerCase(), `Key${letter}`, letter.charCodeAt(0)),
      made(letter, `Key${letter}`, letter.charCodeAt(0), SHIFT),
    ]);
}
