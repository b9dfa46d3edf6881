import { DocumentError } from '../document-error.ts';

const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** The number of bytes from the start within which HTML must name its encoding. */
const CHARSET_WITHIN = 1_024;

/** Returns a text in UTF-8, or in UTF-16 with a byte order mark. @throws DocumentError for anything else */
export function decodeText(bytes: Uint8Array): string {
  const text = decodedAs(bytes, encodingByMark(bytes) ?? 'utf-8');
  if (text === undefined || text.includes('\0')) throw new DocumentError('it is no text in UTF-8 or UTF-16');
  return text;
}

/**
 * Returns the text of a page, in the encoding that the page names.
 * @throws DocumentError if it is not in that encoding
 */
export function decodeHtml(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, CHARSET_WITHIN)).toString('latin1');
  const said = /<meta[^<>]{0,100}charset\s{0,4}=\s{0,4}["']?([\w-]{1,40})/i.exec(start)?.[1];
  const text = decodedAs(bytes, encodingByMark(bytes) ?? said ?? 'utf-8');
  if (text === undefined)
    throw new DocumentError('it is not in the encoding that it says, or in UTF-8 where it says none');
  return text;
}

function encodingByMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

function decodedAs(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
