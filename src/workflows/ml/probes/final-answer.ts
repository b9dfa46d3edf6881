import { withoutThoughts } from '../without-thoughts.ts';

const MARK = 'answer:';

/**
 * Returns the part of a model's text that is its answer: what follows the last "Answer:", else the last line. Without the
 * thoughts that some models write down first, and without marks of Markdown and LaTeX.
 */
export function finalAnswer(text: string): { readonly text: string; readonly isMarked: boolean } {
  const plain = withoutMarks(withoutThoughts(text));
  const at = plain.toLowerCase().lastIndexOf(MARK);
  const marked = at === -1 ? '' : (linesOf(plain.slice(at + MARK.length))[0] ?? '');
  return marked === '' ? { text: linesOf(plain).at(-1) ?? '', isMarked: false } : { text: marked, isMarked: true };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function withoutMarks(text: string): string {
  return text
    .replaceAll('\u2212', '-')
    .replaceAll(/\\d?frac\{(\d{1,9})\}\{(\d{1,9})\}/g, '$1/$2')
    .replaceAll(/\\(?:boxed|text|mathrm)\b/g, '')
    .replaceAll(/[*_`$#{}\\[\]()"“”]/g, '')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}
