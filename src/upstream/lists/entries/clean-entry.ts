import { isUtf8 } from 'node:buffer';
import type { EntryKind } from '../../../core/providers/provider.ts';
import { cleanText } from '../../../core/text/clean-text.ts';
import { jsonBytes, toBuffer } from '../../../wire/bytes.ts';
import { edit } from '../../../wire/edits/call-text.ts';
import { type Edit, Frame } from '../../../wire/frame.ts';
import { stringAt } from '../../../wire/lens.ts';
import type { Span } from '../../../wire/scanning/outline.ts';
import { roleOfContainer, roleOfMember, type TextRole } from './text-roles.ts';

export interface CleanedEntry {
  /** The very text that was given where nothing had to go. */
  readonly text: Buffer;
  /** True if such characters remain in values that go back to the upstream, such as names, enum values and defaults. */
  readonly isSuspicious: boolean;
}

/**
 * Matches everything that can stand for a character that is removed, as UTF-8 bytes or as a JSON escape. Some matches
 * are harmless; in well-formed UTF-8 no character that must be removed is missed.
 */
const SUSPECTS =
  /[\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])|\xef(?:\xbb\xbf|\xbf[\xb9-\xbb]|\xb8[\x80-\x8f]\xef\xb8)|\xf3\xa0[\x80-\x87]|\\(?:[bfr]|u(?:00[0189]|007[fF]|061[cC]|20[0-6]|[fF][eEfF]|[dD][89a-fA-F]))/;

/**
 * Returns an entry without invisible characters and terminal sequences in what people and models read of it. What goes back to
 * the upstream stays byte for byte. `text` must be JSON.
 */
export function cleanEntry(kind: EntryKind, text: Buffer): CleanedEntry {
  if (isUtf8(text) && !SUSPECTS.test(text.latin1Slice())) return { text, isSuspicious: false };
  const walk = new EntryWalk(text);
  walk.run(kind);
  const cleaned = walk.edits.length === 0 ? text : toBuffer(Frame.of(text).splice(walk.edits));
  return { text: cleaned, isSuspicious: walk.isSuspicious };
}

interface OpenContainer {
  readonly role: TextRole;
  readonly isObject: boolean;
  /** The key whose value comes next; `undefined` while a key is expected. */
  key: string | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass over the tokens of a JSON text, with the role of each string. */
class EntryWalk {
  readonly edits: Edit[] = [];
  isSuspicious = false;
  readonly #text: Buffer;
  readonly #open: OpenContainer[] = [];

  constructor(text: Buffer) {
    this.#text = text;
  }

  run(kind: EntryKind): void {
    for (let at = 0; at < this.#text.length; at++) {
      switch (this.#text[at]) {
        case 0x7b: // {
          this.#enter(kind, true);
          break;
        case 0x5b: // [
          this.#enter(kind, false);
          break;
        case 0x7d: // }
        case 0x5d: // ]
          this.#open.pop();
          break;
        case 0x2c: // ,
          this.#open.at(-1)!.key = undefined;
          break;
        case QUOTE: {
          const span = this.#stringFrom(at);
          this.#onString(span);
          at = span.end - 1;
          break;
        }
        default:
      }
    }
  }

  #enter(kind: EntryKind, isObject: boolean): void {
    const role = this.#open.length === 0 ? kind : this.#roleOfValue();
    this.#open.push({ role: roleOfContainer(role, isObject), isObject, key: undefined });
  }

  #roleOfValue(): TextRole {
    const { role, isObject, key } = this.#open.at(-1)!;
    return isObject ? roleOfMember(role, key ?? '') : role;
  }

  #stringFrom(start: number): Span {
    let end = start + 1;
    while (this.#text[end] !== QUOTE) end += this.#text[end] === BACKSLASH ? 2 : 1;
    return { start, end: end + 1 };
  }

  #onString(span: Span): void {
    const value = stringAt(this.#text, span) ?? '';
    const container = this.#open.at(-1)!;
    const isKey = container.isObject && container.key === undefined;
    const role = isKey ? roleOfKey(container.role) : this.#roleOfValue();
    if (isKey) container.key = value;
    if (role === 'opaque') return;
    if (role === 'literal') this.#onLiteral(value);
    else this.#onText(span, value);
  }

  #onText(span: Span, value: string): void {
    const cleaned = cleanText(value);
    const isClean = cleaned === value && isUtf8(this.#text.subarray(span.start, span.end));
    if (!isClean) this.edits.push(edit(span, jsonBytes(cleaned)));
  }

  /** Lines that end as on Windows are nothing to warn of. */
  #onLiteral(value: string): void {
    const usual = value.replaceAll('\r\n', '\n');
    if (cleanText(usual) !== usual) this.isSuspicious = true;
  }
}

/** Keys name what is sent back; those of entries and texts are the protocol's. */
function roleOfKey(role: TextRole): TextRole {
  return role === 'schema' || role === 'names' || role === 'dependencies' || role === 'literal' ? 'literal' : 'opaque';
}
