import type { Glob, GlobAlternatives, GlobPart } from './parse-glob.ts';

/** For each position in the text, 1 where matching may have arrived there. */
type Positions = Uint8Array;

/**
 * Tells whether a glob matches the whole of a text. All positions that a part can reach are followed together, so the work
 * is the length of the glob times that of the text; times the length of the text again for groups that repeat or exclude.
 */
export function matchesGlob({ alternatives, isNegated }: Glob, text: string): boolean {
  const reached = afterAlternatives(alternatives, text, startingAt(text, 0));
  return (reached[text.length] === 1) !== isNegated;
}

function startingAt(text: string, at: number): Positions {
  const positions = new Uint8Array(text.length + 1);
  positions[at] = 1;
  return positions;
}

function afterAlternatives(alternatives: GlobAlternatives, text: string, from: Positions): Positions {
  const reached = new Uint8Array(from.length);
  for (const parts of alternatives) addTo(reached, afterParts(parts, text, from));
  return reached;
}

function afterParts(parts: readonly GlobPart[], text: string, from: Positions): Positions {
  let reached = from;
  for (const part of parts) {
    if (!reached.includes(1)) return reached;
    reached = afterPart(part, text, reached);
  }
  return reached;
}

function afterPart(part: GlobPart, text: string, from: Positions): Positions {
  switch (part.kind) {
    case 'any':
      return new Uint8Array(from.length).fill(1, from.indexOf(1));
    case 'text':
      return moved(from, part.text.length, (at) => text.startsWith(part.text, at));
    case 'one':
      return moved(from, 1, () => true);
    case 'set':
      return moved(from, 1, (at) => isInSet(part, text[at]!));
    case 'group':
      return afterGroup(part, text, from);
  }
}

function moved(from: Positions, length: number, fits: (at: number) => boolean): Positions {
  const reached = new Uint8Array(from.length);
  for (let at = 0; at + length < from.length; at++) if (from[at] === 1 && fits(at)) reached[at + length] = 1;
  return reached;
}

function isInSet({ ranges, isNegated }: Extract<GlobPart, { kind: 'set' }>, character: string): boolean {
  return ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

function afterGroup(
  { repeat, alternatives }: Extract<GlobPart, { kind: 'group' }>,
  text: string,
  from: Positions,
): Positions {
  if (repeat === '!') return afterExclusion(alternatives, text, from);
  if (repeat === '*' || repeat === '+') return afterRepetition(alternatives, text, from, repeat === '*');
  const reached = afterAlternatives(alternatives, text, from);
  if (repeat === '?') addTo(reached, from);
  return reached;
}

function afterRepetition(
  alternatives: GlobAlternatives,
  text: string,
  from: Positions,
  isOptional: boolean,
): Positions {
  const reached = isOptional ? from.slice() : new Uint8Array(from.length);
  let last = from;
  while (last.includes(1)) {
    // Positions that were reached before have been followed already.
    last = afterAlternatives(alternatives, text, last).map((mark, at) => (reached[at] === 1 ? 0 : mark));
    addTo(reached, last);
  }
  return reached;
}

function afterExclusion(alternatives: GlobAlternatives, text: string, from: Positions): Positions {
  const reached = new Uint8Array(from.length);
  for (let at = from.indexOf(1); at !== -1; at = from.indexOf(1, at + 1)) {
    const excluded = afterAlternatives(alternatives, text, startingAt(text, at));
    for (let end = at; end < from.length; end++) if (excluded[end] === 0) reached[end] = 1;
  }
  return reached;
}

function addTo(positions: Positions, more: Positions): void {
  for (let at = 0; at < more.length; at++) if (more[at] === 1) positions[at] = 1;
}
