import type { Line } from './shown-item.ts';

/** The approximate number of characters after which a line that holds several things ends. */
const MAX_INLINE = 300;

/** Collects lines; things that stand on one line of the page are joined. */
export class LineList {
  readonly #lines: Line[] = [];
  #parts: Omit<Line, 'depth'>[] = [];
  #length = 0;

  /** Adds something to the line that is being made. */
  addPart(text: string, id?: string): void {
    if (this.#length + text.length > MAX_INLINE) this.endLine();
    this.#parts.push({ text, id });
    this.#length += text.length + 1;
  }

  endLine(): void {
    if (this.#parts.length > 0) this.#lines.push({ depth: 0, ...joined(this.#parts, ' ') });
    this.#parts = [];
    this.#length = 0;
  }

  /** Adds whole lines. @param depth is added to theirs */
  addLines(lines: readonly Line[], depth = 0): void {
    this.endLine();
    for (const line of lines) this.#lines.push(depth === 0 ? line : { ...line, depth: line.depth + depth });
  }

  /** Returns all lines. */
  end(): readonly Line[] {
    this.endLine();
    return this.#lines;
  }
}

/** Joins lines or parts of a line; the id is the first there is. */
export function joined(parts: readonly Omit<Line, 'depth'>[], separator: string): Omit<Line, 'depth'> {
  return {
    text: parts.map(({ text }) => text).join(separator),
    id: parts.find(({ id }) => id !== undefined)?.id,
  };
}
