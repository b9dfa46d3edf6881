import { CUT } from '../core/text/clean-text.ts';
import { TextFinder } from './text-finder.ts';

const MIN_SECRET = 6;
const ONE_WORD = /^[A-Za-z]{1,20}$/;
const MASK = '[secret]';
/** Shorter beginnings of secrets are in many words, and tell nothing. */
const MIN_PART = 3;
/** Lines of a secret with several lines that are at least this long are secrets by themselves: peers are read line by line. */
const MIN_LINE = 16;

/**
 * Replaces known secrets in text, also in the forms in which they travel (URL-encoded, base64, hex, JSON-escaped), and
 * the beginnings of those that `cutText` has cut.
 */
export class Masker {
  readonly #forms = new Set<string>();
  readonly #ownNames = new Set<string>();
  #finder: TextFinder | undefined;

  /** Registers a secret; short values are left alone, because replacing them would garble every line. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of allFormsOf(secret)) this.#forms.add(form);
    this.#finder = undefined;
  }

  /** The secret is one no more. */
  remove(secret: string): void {
    for (const form of allFormsOf(secret)) this.#forms.delete(form);
    this.#finder = undefined;
  }

  /** Names that the gateway gives itself, such as keys of upstreams: where one stands as a whole, no part of it is replaced. */
  spare(names: Iterable<string>): void {
    for (const name of names) this.#ownNames.add(name);
  }

  mask(text: string): string {
    return this.#replaced(text, () => false);
  }

  /** The same for a name that clients see in a list: a secret that is one plain word may be in it by chance. */
  maskName(name: string): string {
    return this.#replaced(name, (part) => ONE_WORD.test(part));
  }

  #replaced(text: string, isLeft: (part: string) => boolean): string {
    if (this.#forms.size === 0) return text;
    this.#finder ??= new TextFinder(this.#forms);
    const parts = this.#finder.find(text, CUT, MIN_PART);
    if (parts.length === 0) return text;
    let masked = '';
    let at = 0;
    for (const { start, end } of parts) {
      if (isLeft(text.slice(start, end)) || this.#isInOwnName(text, start, end)) continue;
      masked += text.slice(at, start) + MASK;
      at = end;
    }
    return masked + text.slice(at);
  }

  #isInOwnName(text: string, start: number, end: number): boolean {
    const part = text.slice(start, end);
    for (const name of this.#ownNames) {
      const at = start - name.indexOf(part);
      if (name.includes(part) && text.startsWith(name, at) && isWhole(text, at, at + name.length)) return true;
    }
    return false;
  }
}

/** Returns whether no letter or digit goes on before `start` or behind `end`. */
function isWhole(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}]/u.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`);
}

function allFormsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= MIN_LINE && line.length < secret.length);
  return [secret, ...lines].flatMap(formsOf);
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    json,
    // A JSON text inside a JSON text: a line of an upstream's log in ours.
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replaceAll(/%../g, (byte) => byte.toLowerCase()),
    percent.replaceAll('%20', '+'),
    Buffer.from(secret, 'utf8').toString('hex'),
    Buffer.from(secret, 'utf8').toString('base64'),
    ...base64Forms(Buffer.from(secret, 'utf8')),
  ];
}

/** Returns the base64 forms of a secret, which depend on whether no, one or two bytes precede it, as in `Basic <user:secret>`. */
function base64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replaceAll('=', '');
    // Characters that also carry bits of a neighbour are left out.
    const tail = (before + secret.length) % 3 === 0 ? text.length : text.length - 1;
    const form = text.slice(before === 0 ? 0 : before + 1, tail);
    const forms = before === 0 ? [text, form] : [form];
    return forms
      .filter(({ length }) => length >= MIN_SECRET)
      .flatMap((whole) => [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]);
  });
}
