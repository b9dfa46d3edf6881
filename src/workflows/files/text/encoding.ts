import { isUtf8 } from 'node:buffer';

/** Returns the encoding of a file's text, by the mark that it begins with. */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

export const TEXT_ENCODINGS = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be'] as const satisfies TextEncoding[];

const MARKS: Readonly<Record<TextEncoding, Buffer>> = {
  'utf-8': Buffer.alloc(0),
  'utf-8-bom': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
};

export interface FileText {
  /** Without the mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

export function encodingOf(start: Buffer): TextEncoding {
  const marked = TEXT_ENCODINGS.find(
    (name) => name !== 'utf-8' && start.subarray(0, MARKS[name].length).equals(MARKS[name]),
  );
  return marked ?? 'utf-8';
}

export function markLength(encoding: TextEncoding): number {
  return MARKS[encoding].length;
}

/** Returns the text of a file; `undefined` for what is none: writing the text again would give other bytes. */
export function decodeFile(bytes: Buffer): FileText | undefined {
  const encoding = encodingOf(bytes);
  const text = decodePart(bytes.subarray(markLength(encoding)), encoding);
  return text === undefined ? undefined : { text, encoding };
}

/** Text without a mark. */
export function decodePart(bytes: Buffer, encoding: TextEncoding): string | undefined {
  if (encoding === 'utf-8' || encoding === 'utf-8-bom')
    return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined;
  if (bytes.length % 2 !== 0) return undefined;
  const text = (encoding === 'utf-16le' ? bytes : swapped(bytes)).toString('utf16le');
  return text.isWellFormed() ? text : undefined;
}

export function encodeFile({ text, encoding }: FileText): Buffer {
  const isUtf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
  const bytes = Buffer.from(text, isUtf16 ? 'utf16le' : 'utf8');
  return Buffer.concat([MARKS[encoding], encoding === 'utf-16be' ? swapped(bytes) : bytes]);
}

/** A copy: the bytes may belong to another object. */
function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}
