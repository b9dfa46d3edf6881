/** The way in which a document is read; `source` is text in no known form, such as a program. */
export type DocumentKind = 'markdown' | 'text' | 'html' | 'docx' | 'pdf' | 'source';

const KINDS = new Map<string, DocumentKind>([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['txt', 'text'],
  ['html', 'html'],
  ['htm', 'html'],
  ['docx', 'docx'],
  ['pdf', 'pdf'],
]);

/** Returns how a file is read, by the ending of its name. */
export function kindOf(path: string): DocumentKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return (dot === -1 ? undefined : KINDS.get(name.slice(dot + 1).toLowerCase())) ?? 'source';
}

/** The endings of files that a folder of documents is searched for. */
export const DOCUMENT_ENDINGS: readonly string[] = [...KINDS.keys()].map((ending) => `.${ending}`);
