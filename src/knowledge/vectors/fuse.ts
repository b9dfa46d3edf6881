export interface Fusible {
  /** The score of the words; 0 for no match. */
  readonly lexical: number;
  /** The similarity of the vectors; `undefined` if the chunk has none. */
  readonly cosine: number | undefined;
}

/**
 * Returns for each chunk its two scores as one, 0 to 1: each is brought to 0..1 by the least and the greatest of all, and
 * `weight` is that of the vectors. A chunk without a vector keeps its place by words: it counts as near as its words fit.
 */
export function fuse(scores: readonly Fusible[], weight: number): readonly number[] {
  const byWords = scaled(scores.map(({ lexical }) => lexical));
  const cosines = scores.flatMap(({ cosine }) => (cosine === undefined ? [] : [cosine]));
  const nearness = scaleOf(cosines);
  return scores.map(({ cosine }, index) => {
    const words = byWords[index]!;
    return weight * (cosine === undefined ? words : nearness(cosine)) + (1 - weight) * words;
  });
}

/** A chunk without a word of the query is the least of all, whether there is one or not. */
function scaled(values: readonly number[]): readonly number[] {
  const greatest = values.reduce((one, other) => Math.max(one, other), 0);
  return values.map((value) => (greatest === 0 ? 0 : value / greatest));
}

function scaleOf(values: readonly number[]): (value: number) => number {
  const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const greatest = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  return (value) => (greatest > least ? (value - least) / (greatest - least) : values.length > 0 ? 1 : 0);
}
