/**
 * The longest search text for which the runtime's search is used: its worst case takes this many steps per character of
 * the text.
 */
const SHORT = 256;

/**
 * Returns where `wanted` is in a text, from `from` on, or -1: the same as `indexOf`, in time proportional to the lengths of
 * both. The search of V8 takes the product of the lengths for texts that are made for it (a megabyte in a text of eight takes
 * hours), so this is for wanted texts of any length from peers. (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings",
 * 1977.)
 */
export function findText(text: string, wanted: string, from = 0): number {
  if (wanted.length <= SHORT) return text.indexOf(wanted, from);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (unit === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}

/** For each beginning of a text: the length of the longest shorter beginning that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (length > 0 && unit !== text.charCodeAt(length)) length = borders[length - 1]!;
    if (unit === text.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
