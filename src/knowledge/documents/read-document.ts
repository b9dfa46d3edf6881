import { storableText } from '../../core/stores/storable-text.ts';
import { redact } from '../../redaction/redact.ts';
import { type DocumentChunk, documentChunks } from './document-chunks.ts';
import { DocumentError } from './document-error.ts';
import { type DocumentKind, kindOf } from './document-kind.ts';
import { decodeText } from './loaders/decode-text.ts';
import { MAX_TEXT } from './max-text.ts';

const MAX_CHUNKS = 20_000;

const LOADERS: Readonly<Record<DocumentKind, (bytes: Uint8Array) => Promise<string>>> = {
  markdown: async (bytes) => decodeText(bytes),
  text: async (bytes) => decodeText(bytes),
  source: async (bytes) => decodeText(bytes),
  html: async (bytes) => (await import('./loaders/load-html.ts')).loadHtml(bytes),
  docx: async (bytes) => (await import('./loaders/load-docx.ts')).loadDocx(bytes),
  pdf: async (bytes) => (await import('./loaders/load-pdf.ts')).loadPdf(bytes),
};

/**
 * Returns the chunks of a document, without secrets; none of one that is blank. The ending of its name decides how it is read.
 * @throws DocumentError if it cannot be read, or is too large
 */
export async function readDocument(path: string, bytes: Uint8Array): Promise<readonly DocumentChunk[]> {
  const kind = kindOf(path);
  const text = await LOADERS[kind](bytes);
  if (text.length > MAX_TEXT) throw new DocumentError(`it has more than ${MAX_TEXT} characters`);
  // Redact the whole text: a secret may cross the end of a chunk.
  const safe = redact(storableText(text)).value;
  const chunks = kind === 'source' ? await sourceChunks(path, safe) : documentChunks(safe);
  if (chunks.length > MAX_CHUNKS) throw new DocumentError(`it has more than ${MAX_CHUNKS} parts`);
  return chunks;
}

async function sourceChunks(path: string, text: string): Promise<DocumentChunk[]> {
  if (text.trim() === '') return [];
  const { chunkFile } = await import('../chunks/chunk-file.ts');
  return (await chunkFile(path, text)).map(({ text: chunk, symbol }) => ({ text: chunk, section: symbol }));
}
