import { redact } from '../../redaction/redact.ts';

/** Length of the text that is known behind a cut: what makes a secret of the text before it may be there. */
const HOLD = 8_192;
/** Length of the text that was given out and is looked at again: the name of a secret may be there. */
const CONTEXT = 4_096;
/** Length of the text that is looked at together, at first and at most: more than the longest private key. */
const WINDOW = 49_152;
const MAX_WINDOW = 196_608;
const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/**
 * Takes secrets out of a text that comes piece by piece. What it gives out has none that redaction would have found in the
 * whole text, regardless of where the pieces are cut: the newest part is held back until the text after it is known.
 */
export class SecretSieve {
  readonly #mask: (text: string) => string;
  #given = '';
  #held = '';
  #window = WINDOW;

  /** `mask` replaces secrets that are known by themselves, in whole texts. */
  constructor(mask: (text: string) => string = (text) => text) {
    this.#mask = mask;
  }

  /** Number of characters that wait. */
  get length(): number {
    return this.#held.length;
  }

  /** True if enough text waits for `take` to do something. */
  get isFull(): boolean {
    return this.#held.length >= this.#window;
  }

  push(text: string): void {
    this.#held += text;
  }

  /** Returns the next part of the text that can be given out; may be empty if `isFull`, and then more is looked at next time. */
  take(): string {
    const window = this.#held.slice(0, this.#window);
    const part = this.#split(window, window.length - HOLD);
    if (part.length > 0 || this.#window < MAX_WINDOW) return this.#giveOut(part);
    return this.#giveOut({ length: window.length, text: this.#redacted(window) });
  }

  /** Returns the lines that wait, for a pause in the text; not those of a key that has begun. To be called when not `isFull`. */
  settle(): string {
    const end = this.#held.lastIndexOf('\n') + 1;
    const isInKey = this.#held.lastIndexOf(KEY_BEGINS) > this.#held.lastIndexOf(KEY_ENDS);
    return end === 0 || isInKey ? '' : this.#giveOut(this.#split(this.#held, end));
  }

  /** Returns all that is left. To be called when not `isFull`. */
  end(): string {
    return this.#giveOut({ length: this.#held.length, text: this.#redacted(this.#held) });
  }

  #giveOut({ length, text }: Part): string {
    this.#window = length > 0 ? WINDOW : Math.min(this.#window * 2, MAX_WINDOW);
    this.#held = this.#held.slice(length);
    this.#given = lastLines(this.#given + text);
    return text;
  }

  /** Finds where the text can be cut, at `end` or before: where both parts by themselves are redacted as the whole is. */
  #split(text: string, end: number): Part {
    const whole = this.#redacted(text);
    if (whole === text) return partOf(text, lineEndBefore(text, end));
    for (let at = lineEndBefore(text, end), step = 1_024; at > 0; at = lineEndBefore(text, at - step), step *= 2) {
      const head = this.#redacted(text.slice(0, at));
      if (whole === head + redact(this.#mask(text.slice(at))).value) return { length: at, text: head };
    }
    return { length: 0, text: '' };
  }

  /** Returns a text as it is redacted behind what was given out. */
  #redacted(text: string): string {
    const whole = redact(this.#given + this.#mask(text)).value;
    if (whole.startsWith(this.#given)) return whole.slice(this.#given.length);
    // Later text has made a secret of something that was given out already: from there on everything is repeated.
    return whole.slice(commonLength(whole, this.#given));
  }
}

/** A part of the text from its beginning: its length, and the same without secrets. */
interface Part {
  readonly length: number;
  readonly text: string;
}

function partOf(text: string, length: number): Part {
  return { length, text: text.slice(0, length) };
}

/** Returns the last line end up to `most`. If there is none, returns `most`, or one less if that would split a character. */
function lineEndBefore(text: string, most: number): number {
  if (most <= 0) return 0;
  const end = text.lastIndexOf('\n', most - 1) + 1;
  if (end > 0) return end;
  const isHalf = /[\ud800-\udbff]/.test(text[most - 1]!);
  return isHalf ? most - 1 : most;
}

/** Returns the end of a text, from the beginning of a line on if there is one. */
function lastLines(text: string): string {
  if (text.length <= CONTEXT) return text;
  const tail = text.slice(-CONTEXT);
  return tail.slice(tail.indexOf('\n') + 1);
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at++) if (one[at] !== other[at]) return at;
  return most;
}
