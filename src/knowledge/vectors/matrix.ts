/** Vectors of one model, each of length one, one behind the other. */
export class Matrix {
  readonly dimensions: number;
  #values: Float32Array;
  #texts: Uint32Array;
  #size = 0;

  constructor(dimensions: number, capacity: number) {
    this.dimensions = dimensions;
    this.#values = new Float32Array(dimensions * capacity);
    this.#texts = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The memory that it takes, in bytes. */
  get bytes(): number {
    return this.#values.byteLength + this.#texts.byteLength;
  }

  /** Returns the texts that have a vector. */
  texts(): ReadonlySet<number> {
    return new Set(this.#texts.subarray(0, this.#size));
  }

  /** Takes out the vectors of all other texts. */
  retain(texts: ReadonlySet<number>): void {
    for (let row = this.#size - 1; row >= 0; row--) if (!texts.has(this.#texts[row]!)) this.#takeOut(row);
  }

  /** Adds the vector of a text; one of another length is left out. */
  add(text: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions) return;
    if (this.#size === this.#texts.length) this.#grow();
    this.#values.set(normalized(vector), this.#size * this.dimensions);
    this.#texts[this.#size] = text;
    this.#size += 1;
  }

  /** Returns the texts whose vectors are nearest to a vector, nearest first, with the cosines. */
  nearest(vector: Float32Array, count: number): readonly Near[] {
    const best = new Nearest(count);
    const unit = normalized(vector);
    for (let row = 0; row < this.#size; row++) best.offer(this.#texts[row]!, this.#dot(row, unit));
    return best.sorted();
  }

  /** Returns the cosines of these texts, where they have a vector. */
  cosines(vector: Float32Array, texts: ReadonlySet<number>): ReadonlyMap<number, number> {
    const cosines = new Map<number, number>();
    const unit = normalized(vector);
    for (let row = 0; row < this.#size; row++) {
      const text = this.#texts[row]!;
      if (texts.has(text)) cosines.set(text, this.#dot(row, unit));
    }
    return cosines;
  }

  /** Four sums at a time are what the compiler makes fast. */
  #dot(row: number, vector: Float32Array): number {
    const values = this.#values;
    const { dimensions } = this;
    const start = row * dimensions;
    const whole = dimensions - (dimensions % 4);
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < whole; at += 4) {
      a += values[start + at]! * vector[at]!;
      b += values[start + at + 1]! * vector[at + 1]!;
      c += values[start + at + 2]! * vector[at + 2]!;
      d += values[start + at + 3]! * vector[at + 3]!;
    }
    for (let at = whole; at < dimensions; at++) a += values[start + at]! * vector[at]!;
    return a + b + c + d;
  }

  /** The last row takes its place: their order says nothing. */
  #takeOut(row: number): void {
    const last = this.#size - 1;
    this.#values.copyWithin(row * this.dimensions, last * this.dimensions, this.#size * this.dimensions);
    this.#texts[row] = this.#texts[last]!;
    this.#size = last;
  }

  /** Makes room for more rows, in small steps: a large matrix takes much memory. */
  #grow(): void {
    const capacity = this.#texts.length + Math.max(64, this.#texts.length >> 3);
    const [values, texts] = [new Float32Array(capacity * this.dimensions), new Uint32Array(capacity)];
    values.set(this.#values);
    texts.set(this.#texts);
    [this.#values, this.#texts] = [values, texts];
  }
}

export interface Near {
  readonly text: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** Keeps the best of many. */
class Nearest {
  readonly #count: number;
  #best: Near[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(count: number) {
    this.#count = count;
  }

  offer(text: number, cosine: number): void {
    if (cosine <= this.#least) return;
    this.#best.push({ text, cosine });
    // Sorting now and then costs less than keeping all in order.
    if (this.#best.length >= this.#count * 2) this.#cut();
  }

  sorted(): readonly Near[] {
    this.#cut();
    return this.#best;
  }

  #cut(): void {
    this.#best.sort((one, other) => other.cosine - one.cosine);
    this.#best = this.#best.slice(0, this.#count);
    if (this.#best.length === this.#count) this.#least = this.#best.at(-1)?.cosine ?? this.#least;
  }
}

/** Returns a vector of length one in the same direction; zeros stay zeros. */
export function normalized(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 || !Number.isFinite(length)
    ? new Float32Array(vector.length)
    : vector.map((value) => value / length);
}
