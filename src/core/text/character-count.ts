/** Returns the number of characters as JSON Schema counts them (RFC 8259): code points of Unicode. */
export function characterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xff_ff ? 2 : 1) count++;
  return count;
}
