/** A part of a document, with the heading that it is under; empty if there is none. */
export interface DocumentChunk {
  readonly text: string;
  readonly section: string;
}

/** In bytes. The sizes are those of go-rag, so that both make the same of a document. */
const SIZE = 500;
/** In characters. */
const OVERLAP = 50;
/** A sentence that is longer, in bytes, is none: it is cut between words. */
const LONGEST_SENTENCE = 8 * SIZE;

/**
 * Cuts a text into chunks of up to 500 bytes: at lines that begin with `## `, then between paragraphs, then between sentences.
 * A chunk that goes on where another one of its section ended begins with the last words of that one. Markdown and plain text
 * alike.
 */
export function documentChunks(text: string): DocumentChunk[] {
  return sectionsOf(text.replaceAll('\r\n', '\n')).flatMap((section) => chunksOf(section.trim()));
}

/** Returns the sections of a text. Each begins with its heading, except the text before the first heading. */
function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n## '); at !== -1; at = text.indexOf('\n## ', at + 1)) {
    sections.push(text.slice(start, at));
    start = at + 1;
  }
  return [...sections, text.slice(start)];
}

function chunksOf(section: string): DocumentChunk[] {
  if (section === '') return [];
  const title = section.startsWith('## ') ? section.slice(3, lineEnd(section)).trim() : '';
  const texts = bytesOf(section) <= SIZE ? [section] : packed(piecesOf(section));
  return texts.map((text) => ({ text, section: title }));
}

function lineEnd(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end;
}

/** Paragraphs; of those that are too long for a chunk, the sentences. */
function piecesOf(section: string): string[] {
  const paragraphs = section.split('\n\n').flatMap((paragraph) => {
    const trimmed = paragraph.trim();
    return bytesOf(trimmed) <= SIZE ? [trimmed] : sentencesOf(trimmed);
  });
  return paragraphs.filter((piece) => piece !== '');
}

function sentencesOf(paragraph: string): string[] {
  const sentences = paragraph.split(/(?<=[.?!]) /).map((sentence) => sentence.trim());
  return sentences.flatMap((sentence) => (bytesOf(sentence) <= LONGEST_SENTENCE ? [sentence] : cut(sentence)));
}

/** Pieces of the length of a chunk; a word that is longer is cut, but no character is. */
function cut(sentence: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < sentence.length; ) {
    const end = endOfPiece(sentence, start);
    pieces.push(sentence.slice(start, end).trim());
    start = end;
  }
  return pieces;
}

function endOfPiece(text: string, start: number): number {
  const end = start + SIZE;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  if (space > start) return space;
  return isHighSurrogate(text, end - 1) ? end - 1 : end;
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function packed(pieces: readonly string[]): string[] {
  const chunks: string[] = [];
  let current = '';
  for (const piece of pieces) {
    if (current !== '' && bytesOf(current) + bytesOf(piece) + 2 > SIZE) {
      chunks.push(current);
      current = `${lastWords(current)}${piece}`;
    } else current = current === '' ? piece : `${current}\n\n${piece}`;
  }
  return current === '' ? chunks : [...chunks, current];
}

/** Returns the end of a chunk from a whole word on, as it is before the next one. */
function lastWords(chunk: string): string {
  // No more is needed: a character has at most two code units.
  const characters = Array.from(chunk.slice(-2 * OVERLAP - 1));
  if (characters.length <= OVERLAP) return '';
  const end = characters.slice(-OVERLAP).join('');
  const words = end.slice(end.indexOf(' ') + 1).trim();
  return words === '' ? '' : `${words}\n\n`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
