/** A half-open byte range `[start, end)` of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One member of an object, or one element of an array (`key` is `''` and the key range empty). The range is the value's. */
export interface Member extends Span {
  /** The key as `JSON.parse` would give it. */
  readonly key: string;
  /** Range of the key with its quotes. */
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** The result of a scan: the outermost value and, for containers, its direct parts in order of appearance. */
export interface Outline extends Span {
  readonly kind: 'object' | 'array' | 'scalar';
  /** True if there is a line feed or a carriage return between its tokens. */
  readonly hasLineBreaks: boolean;
  readonly members: readonly Member[];
}
