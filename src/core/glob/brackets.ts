export interface Bracket {
  /** The index of the closing bracket. */
  readonly end: number;
  /** A comma is in it that does not belong to an inner bracket. */
  readonly hasComma: boolean;
}

/** Returns the round and curly brackets of a glob that are closed, by the index of the opening one. */
export function bracketsOf(glob: string): ReadonlyMap<number, Bracket> {
  const brackets = new Map<number, Bracket>();
  const open: { readonly at: number; hasComma: boolean }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]!;
    if (character === '\\') at += 1;
    else if (character === '[') at = setEnd(glob, at) ?? at;
    else if (character === '(' || character === '{') open.push({ at, hasComma: false });
    else if (character === ',' && open.length > 0) open.at(-1)!.hasComma = true;
    else if (character === ')' || character === '}') {
      const index = open.findLastIndex((one) => glob[one.at] === (character === ')' ? '(' : '{'));
      if (index === -1) continue;
      const { at: start, hasComma } = open[index]!;
      brackets.set(start, { end: at, hasComma });
      open.length = index;
    }
  }
  return brackets;
}

/** Returns the index of the `]` that ends the set beginning at `start`; `undefined` if nothing ends it. */
export function setEnd(glob: string, start: number): number | undefined {
  const first = start + ('!^'.includes(glob[start + 1] ?? ' ') ? 2 : 1);
  // A bracket that stands first is a member of the set.
  for (let at = first; at < glob.length; at++) {
    if (glob[at] === ']' && at > first) return at;
    if (glob[at] === '\\') at += 1;
  }
  return undefined;
}
