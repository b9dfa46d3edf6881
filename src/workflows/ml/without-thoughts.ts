const THINKING = ['think', 'thinking', 'reasoning'] as const;

/** Returns a model's text without the thoughts that some models write down before their answer. Thoughts that do not end are the whole text. */
export function withoutThoughts(text: string): string {
  const end = THINKING.map((tag) => `</${tag}>`)
    .map((close) => ({ at: text.lastIndexOf(close), length: close.length }))
    .reduce((last, found) => (found.at > last.at ? found : last), { at: -1, length: 0 });
  return end.at === -1 ? text : text.slice(end.at + end.length);
}
