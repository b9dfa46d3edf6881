import { SMALL_BYTES } from '../bytes.ts';
import type { Frame } from '../frame.ts';

/** ASCII texts to search for. In large frames, marks that begin with a rare character such as `"` are found much faster. */
export interface Marks {
  readonly inSmall: readonly string[];
  readonly inLarge: readonly string[];
}

/**
 * Returns true if a frame holds one of the marks. Reads small frames as one string, large ones piece by piece without joining
 * them.
 */
export function holdsAny(frame: Frame, { inSmall, inLarge }: Marks): boolean {
  const { start, end } = frame.outline;
  const { pieces } = frame;
  if (pieces.length > 1 || end - start > SMALL_BYTES) return isInPieces(frame, inLarge);
  const text = pieces[0]!.latin1Slice(start, end);
  for (const mark of inSmall) if (text.includes(mark)) return true;
  return false;
}

function isInPieces({ pieces, outline }: Frame, marks: readonly string[]): boolean {
  const longest = Math.max(...marks.map((mark) => mark.length));
  let base = 0;
  let tail = '';
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(outline.start - base, 0), Math.max(outline.end - base, 0));
    if (part.length > 0) {
      // A mark may begin in one piece and end in another.
      const seam = tail + part.latin1Slice(0, Math.min(part.length, longest - 1));
      if (marks.some((mark) => seam.includes(mark) || part.indexOf(mark, 0, 'latin1') !== -1)) return true;
      tail = (tail + part.latin1Slice(Math.max(0, part.length - longest + 1), part.length)).slice(1 - longest);
    }
    base += piece.length;
  }
  return false;
}
