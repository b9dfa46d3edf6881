import type { EntryText } from '../../core/providers/provider.ts';
import { META_SHAPE } from '../../core/uris/meta-shape.ts';
import { type ByteString, jsonBytes } from '../../wire/bytes.ts';
import { edit, sortedEdits } from '../../wire/edits/call-text.ts';
import { type Edit, Frame } from '../../wire/frame.ts';
import { stringOfToken } from '../../wire/lens.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { type Shape, stringsAt } from '../../wire/shape.ts';

const ENTRY_SHAPE: Shape = { members: { _meta: META_SHAPE } };
/** One of these is in every entry whose `_meta` names a uri. */
const MARK = /esourceUri|utputTemplate|\\u00/;

interface Pointer {
  readonly span: Span;
  readonly uri: string;
}

const NONE: readonly Pointer[] = [];
/** Lists are merged whenever one of them changes: each entry is looked into once. */
const known = new WeakMap<EntryText, readonly Pointer[]>();

/**
 * Returns the JSON of a list's entry as clients get it: under its public name, which is `undefined` if the own name stays,
 * and with public uris in its `_meta`.
 */
export function publicText(entry: EntryText, name: string | undefined, publicUri: (uri: string) => string): ByteString {
  const pointers = pointersOf(entry);
  if (pointers.length === 0) return name === undefined ? entry.text : renamed(entry, name);
  const edits = pointers.flatMap(({ span, uri }): Edit[] => {
    const shown = publicUri(uri);
    return shown === uri ? [] : [edit(span, jsonBytes(shown))];
  });
  if (name !== undefined) edits.push(edit(entry.nameSpan, jsonBytes(name)));
  let text = '';
  let at = 0;
  for (const { start, end, text: put } of sortedEdits(edits)) {
    text += entry.text.slice(at, start) + put;
    at = end;
  }
  return text + entry.text.slice(at);
}

function renamed({ text, nameSpan }: EntryText, name: string): ByteString {
  return text.slice(0, nameSpan.start) + jsonBytes(name) + text.slice(nameSpan.end);
}

function pointersOf(entry: EntryText): readonly Pointer[] {
  let pointers = known.get(entry);
  if (pointers === undefined) {
    pointers = MARK.test(entry.text) ? pointersIn(Frame.of(Buffer.from(entry.text, 'latin1'))) : NONE;
    known.set(entry, pointers);
  }
  return pointers;
}

function pointersIn(frame: Frame): readonly Pointer[] {
  return stringsAt(frame, frame.outline, ENTRY_SHAPE).flatMap((span) => {
    const uri = stringOfToken(frame.raw(span));
    return uri === undefined || uri === '' ? [] : [{ span: { start: span.start, end: span.end }, uri }];
  });
}
