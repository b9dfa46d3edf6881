import { createHash } from 'node:crypto';
import type { NewChunk } from '../../../store/knowledge/rows.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import { compound, termsOf } from '../../ranking/terms.ts';
import { pack } from './packed-text.ts';
import { profileOf } from './profile.ts';

/** The length of a SHA-256. */
const HASH_BYTES = 20;

/** The version of the stored form of texts: another number means that all files are read and chunked again. */
export const FORM = 2;

/** Returns the hash of a source by what it was made from. */
export const sourceHash = (made: string): string => `${FORM}:${made}`;

/** Returns true if a source with this hash is stored in the present form: work that a killed run has done is not done again. */
export const isOfThisForm = (hash: string): boolean => hash.startsWith(sourceHash(''));

/** Returns the chunks of one file as they are stored. */
export function newChunks(chunks: readonly (Chunk & { readonly details?: string })[]): NewChunk[] {
  const seen = new Map<string, number>();
  return chunks.map((chunk) => {
    const twin = seen.get(chunk.text) ?? 0;
    seen.set(chunk.text, twin + 1);
    return newChunk(chunk, twin);
  });
}

function newChunk(chunk: Chunk & { readonly details?: string }, twin: number): NewChunk {
  const { text, startLine, endLine, kind, symbol, defines, details } = chunk;
  const counts = countTerms(text);
  const terms = [...counts.keys(), ...new Set(defines.map(definitionTerm))];
  return {
    textHash: createHash('sha256').update(text).digest().subarray(0, HASH_BYTES),
    ...pack(text),
    ...profileOf(counts),
    terms: terms.join(' '),
    entries: terms.length,
    startLine,
    endLine,
    kind,
    symbol,
    defines,
    twin,
    details,
  };
}

function countTerms(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Returns the term of chunks that define a name, however it is spelt. No word of a text is such a term. */
export function definitionTerm(name: string): string {
  return `=${withoutSpaces(compound(name))}`;
}

/** Returns the term of chunks whose files have an extension, given without its dot. */
export function extensionTerm(extension: string): string {
  return `.${withoutSpaces(extension.toLowerCase())}`;
}

/** Returns the term of chunks whose files are in a folder or below it, given relative to the root. */
export function folderTerm(folder: string): string {
  return `/${createHash('sha256').update(folder).digest('base64url').slice(0, 12)}`;
}

/** Returns the terms that all chunks of a file have. */
export function tagsOf(file: string): string[] {
  const parts = file.split('/');
  const name = parts.pop()!;
  const folders = parts.map((_, index) => folderTerm(parts.slice(0, index + 1).join('/')));
  const dot = name.lastIndexOf('.');
  return dot === -1 ? folders : [...folders, extensionTerm(name.slice(dot + 1))];
}

/** Terms stand between spaces, in quotation marks where they are looked for, and have no NUL in PostgreSQL. */
function withoutSpaces(term: string): string {
  return term.replaceAll(/[\s"\\\0]/g, '_').toWellFormed();
}
