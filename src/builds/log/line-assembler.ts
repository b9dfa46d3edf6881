import { cleanText } from '../../core/text/clean-text.ts';

/** A line that is longer is passed on in parts. */
const MAX_LINE = 65_536;

/**
 * Makes lines of what several streams write, so that none of them breaks into a line of another. Control sequences are taken
 * out, and each way to end a line becomes `\n`, also the `\r` with which progress is shown.
 */
export class LineAssembler {
  /** The unfinished line of each stream. */
  readonly #begun = new Map<number, string>();

  /** Returns the lines that are whole now, each with its end; `''` if there is none. */
  push(text: string, stream: number): string {
    const all = (this.#begun.get(stream) ?? '') + text;
    const end = all.length > MAX_LINE && lineEndIn(all) === 0 ? all.length : lineEndIn(all);
    this.#begun.set(stream, all.slice(end));
    return cleanLines(all.slice(0, end));
  }

  /** Returns the lines that have not ended. */
  end(): string {
    const begun = [...this.#begun.values()].filter((text) => text !== '');
    this.#begun.clear();
    return begun.map((text) => `${cleanLines(text)}\n`).join('');
  }
}

/** Returns where the last line ends. A `\r` at the very end may be the first half of an end. */
function lineEndIn(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1;
}

/** Line by line: an escape sequence that never ends must not hide the lines behind it. */
function cleanLines(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return cleanText(lines) === lines ? lines : lines.split('\n').map(cleanText).join('\n');
}
