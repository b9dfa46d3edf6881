/** Matches everything that a terminal obeys or hides: controls, formats, unassigned characters, odd spaces and line ends. */
const NOT_SHOWN = /\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Variation_Selector}/gu;

/** Characters that are not shown, as `\u{…}`. */
export function escaped(text: string): string {
  return text.replace(NOT_SHOWN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
