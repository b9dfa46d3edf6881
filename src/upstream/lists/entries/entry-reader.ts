import { fingerprint } from '../../../core/json/canonical.ts';
import type { Descriptor, EntryKind, EntryText, Era } from '../../../core/providers/provider.ts';
import { type ByteString, toBuffer } from '../../../wire/bytes.ts';
import { type Edit, Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import { lastMember, membersOf, stringAt, typeOfByte, valueAt } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';
import { schemaFaultsOf } from '../schemas/schema-faults-of.ts';
import { cleanEntry } from './clean-entry.ts';
import { eraVariants } from './entry-eras.ts';
import { repairEntry } from './entry-repair.ts';
import { rewrite } from './rewrite.ts';

/** An entry that cannot be offered, and why; official clients refuse a whole list for one such entry. */
export interface SkippedEntry {
  readonly kind: EntryKind;
  readonly name: string;
  readonly reason: string;
}

/** The member that identifies an entry. */
export const NAME_MEMBER: Readonly<Record<EntryKind, string>> = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  template: 'uriTemplate',
};

/** An entry is judged at once, and that must not take long. The largest seen have some ten thousand bytes. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/** Changes an entry before it is offered; returns the edits, in order. */
export type EntryTransform = (ownName: string, text: Buffer, members: readonly Member[]) => readonly Edit[];

export interface EntryReading {
  readonly transform?: EntryTransform | undefined;
  /** The era of the server that sent the entry. */
  readonly era?: Era;
}

/**
 * Judges one entry of a list: what is sound is kept byte for byte, small faults are mended, invisible characters leave
 * its texts.
 */
export function readEntry(
  kind: EntryKind,
  list: Buffer,
  span: Span,
  { transform, era = 'legacy' }: EntryReading = {},
): Descriptor | SkippedEntry {
  const skipped = (reason: string, name = '(no name)'): SkippedEntry => ({ kind, name, reason });
  const bytes = span.end - span.start;
  if (bytes > MAX_ENTRY_BYTES) return skipped(`the entry has ${bytes} bytes; at most ${MAX_ENTRY_BYTES} are allowed`);
  let text: Buffer = Buffer.from(list.subarray(span.start, span.end));
  if (typeOfByte(text[0]) !== 'object') return skipped('the entry is not an object');
  try {
    const ownName = nameOf(kind, text);
    if (ownName === undefined) return skipped(`"${NAME_MEMBER[kind]}" is missing or not a string`);
    const faults = kind === 'tool' ? schemaFaultsOf(text, era) : [];
    const repaired = repairEntry(kind, text, era);
    if ('unusable' in repaired) return skipped(repaired.unusable, ownName);
    const { text: cleaned, isSuspicious } = cleanEntry(kind, repaired);
    text = cleaned;
    if (kind === 'tool' && transform !== undefined) text = apply(text, transform(ownName, text, membersOf(text)));
    const source = text === repaired ? {} : { source: repaired.latin1Slice() };
    return {
      ...describe(kind, ownName, text),
      ...source,
      ...(isSuspicious && { isSuspicious }),
      ...(faults.length > 0 && { schemaFaults: faults }),
      ...eraVariants(kind, text, era),
    };
  } catch (error) {
    if (error instanceof JsonTextError) return skipped(error.message);
    throw error;
  }
}

function apply(text: Buffer, edits: readonly Edit[]): Buffer {
  return edits.length === 0 ? text : toBuffer(Frame.of(text).splice(edits));
}

function nameOf(kind: EntryKind, text: Buffer): string | undefined {
  const name = stringAt(text, lastMember(membersOf(text), NAME_MEMBER[kind]));
  return name === '' ? undefined : name;
}

function describe(kind: EntryKind, ownName: string, text: Buffer): Descriptor {
  return {
    kind,
    ownName,
    text: text.toString('latin1'),
    nameSpan: nameSpanOf(kind, text),
    fingerprint: fingerprint(valueAt(text)),
  };
}

function nameSpanOf(kind: EntryKind, text: Buffer): Span {
  const { start, end } = lastMember(membersOf(text), NAME_MEMBER[kind])!;
  return { start, end };
}

const reduced = new WeakMap<Descriptor, Descriptor>();

/** The same tool, offered without its output schema; the same object each time. */
export function withoutOutputSchema(entry: Descriptor): Descriptor {
  let result = reduced.get(entry);
  if (result === undefined) {
    const { forLegacy, forModern } = entry;
    result = {
      ...entry,
      ...describe(entry.kind, entry.ownName, Buffer.from(outputDropped(entry.text), 'latin1')),
      ...(forLegacy !== undefined && { forLegacy: variantWithoutOutput(entry.kind, forLegacy) }),
      ...(forModern !== undefined && { forModern: variantWithoutOutput(entry.kind, forModern) }),
    };
    reduced.set(entry, result);
  }
  return result;
}

function variantWithoutOutput(kind: EntryKind, { text }: EntryText): EntryText {
  const left = outputDropped(text);
  return { text: left, nameSpan: nameSpanOf(kind, Buffer.from(left, 'latin1')) };
}

function outputDropped(entry: ByteString): ByteString {
  const text = Buffer.from(entry, 'latin1');
  return rewrite(text, membersOf(text), (member) => (member.key === 'outputSchema' ? 'drop' : 'keep'));
}

export function isDescriptor(entry: Descriptor | SkippedEntry): entry is Descriptor {
  return 'fingerprint' in entry;
}
