/** Lines that fit, and how many do not. */
export interface CutLines {
  readonly lines: readonly string[];
  readonly leftOut: number;
}

/** Returns as many of the first lines as fit into a number of characters, line breaks included. */
export function cutLines(lines: readonly string[], maxCharacters: number): CutLines {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += line.length + 1;
    return size > maxCharacters;
  });
  return end < 0 ? { lines, leftOut: 0 } : { lines: lines.slice(0, end), leftOut: lines.length - end };
}
