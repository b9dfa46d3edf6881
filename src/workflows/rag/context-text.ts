import type { Passage } from '../../knowledge/passages/passage-store.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Returns passages as one text for a prompt, in the form of go-rag; empty if there are none. */
export function contextText(passages: readonly Passage[]): string {
  if (passages.length === 0) return '';
  return `<retrieved_context>\n${passages.map(documentText).join('')}</retrieved_context>`;
}

function documentText({ source, section, category, text }: Passage): string {
  const attributes = `source="${escaped(source)}" section="${escaped(section)}" category="${escaped(category)}"`;
  return `<document ${attributes}>\n${escaped(text)}\n</document>\n\n`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}
