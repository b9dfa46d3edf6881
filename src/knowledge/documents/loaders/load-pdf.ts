import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.js';
import { DocumentError } from '../document-error.ts';
import { MAX_TEXT } from '../max-text.ts';
import { loadPackage } from './load-package.ts';

const MAX_PAGES = 5_000;
/** The distance of lines, as a multiple of their height, above which they belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7;

/** Returns the text of a PDF, paragraphs with an empty line between. No script in it is run. */
export async function loadPdf(bytes: Uint8Array): Promise<string> {
  const pdfjs = await loadPackage('pdfjs-dist', () => import('pdfjs-dist/legacy/build/pdf.mjs'));
  const task = pdfjs.getDocument({
    data: bytes,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    // Tables of characters of Chinese, Japanese and Korean texts.
    cMapUrl: `${path.join(packageFolder(), 'cmaps')}${path.sep}`,
    standardFontDataUrl: `${path.join(packageFolder(), 'standard_fonts')}${path.sep}`,
  });
  try {
    return await textOf(await task.promise);
  } catch (error) {
    throw inWords(error);
  } finally {
    await task.destroy();
  }
}

function packageFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
}

async function textOf(document: PDFDocumentProxy): Promise<string> {
  if (document.numPages > MAX_PAGES) throw new DocumentError(`it has more than ${MAX_PAGES} pages`);
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const text = pageText((await page.getTextContent()).items);
    page.cleanup();
    length += text.length;
    if (length > MAX_TEXT) throw new DocumentError(`it has more than ${MAX_TEXT} characters`);
    pages.push(text);
  }
  return pages.join('\n\n');
}

function pageText(items: readonly (TextItem | TextMarkedContent)[]): string {
  let text = '';
  let above: number | undefined;
  for (const item of items) {
    if (!('str' in item) || (item.str === '' && !item.hasEOL)) continue;
    const height = Number(item.transform[5]);
    if (text.endsWith('\n') && item.str !== '') text = `${text.trimEnd()}${separator(above, height, item.height)}`;
    text += item.hasEOL ? `${item.str}\n` : item.str;
    if (item.str !== '') above = height;
  }
  return text.trim();
}

/** Returns the separator between a line and the one above it. */
function separator(above: number | undefined, here: number, lineHeight: number): string {
  const isApart = above !== undefined && lineHeight > 0 && Math.abs(above - here) > PARAGRAPH_GAP * lineHeight;
  return isApart ? '\n\n' : ' ';
}

function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DocumentError) return error;
  if (error.name === 'PasswordException') return new DocumentError('it is protected by a password', error);
  return new DocumentError(`it is damaged, or no PDF (${error.message})`, error);
}
