import { cutText } from '../../core/text/clean-text.ts';
import { printable } from '../terminal/print.ts';

const MAX_CHARACTERS = 300;

/** Returns one line that reports an error of a tool: the first line of its text, if it has one. */
export function failureLine(tool: string, content: readonly Readonly<Record<string, unknown>>[]): string {
  const texts = content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''));
  const lines = texts.flatMap((text) => text.split('\n')).map(printable);
  const first = lines.find((line) => line !== '');
  if (first !== undefined) return `${tool} failed: ${cutText(first, MAX_CHARACTERS)}`;
  const holds = content.length === 0 ? 'the result is empty' : 'the result has no text';
  return `${tool} failed and does not say why: ${holds}. "viaduct status" shows what its server wrote last`;
}
