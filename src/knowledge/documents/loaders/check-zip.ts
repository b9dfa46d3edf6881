import { DocumentError } from '../document-error.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LONGEST_COMMENT = 65_535;

/** The largest number of entries, more than any text document has. */
const MAX_ENTRIES = 5_000;
const MAX_UNPACKED_BYTES = 128 * 1024 ** 2;

/** Refuses an archive that says about itself that it becomes too much when it is unpacked. @throws DocumentError */
export function checkZip(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(buffer);
  const count = buffer.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new DocumentError(`it has more than ${MAX_ENTRIES} parts`);
  let unpacked = 0;
  let at = buffer.readUInt32LE(end + 16);
  for (let entry = 0; entry < count; entry++) {
    if (at + ENTRY_BYTES > buffer.length || buffer.readUInt32LE(at) !== ENTRY) throw noArchive();
    unpacked += buffer.readUInt32LE(at + 24);
    at += ENTRY_BYTES + buffer.readUInt16LE(at + 28) + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  if (unpacked > MAX_UNPACKED_BYTES) throw new DocumentError(`it unpacks to ${unpacked} bytes, which is too much`);
}

/** Behind it there may be a comment. */
function endOf(buffer: Buffer): number {
  const last = buffer.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) if (buffer.readUInt32LE(at) === END) return at;
  throw noArchive();
}

function noArchive(): DocumentError {
  return new DocumentError('it is damaged, or no document of Word (.docx)');
}
