/** Words in a path, and the kind of document that they stand for; the first that fits counts. */
const CATEGORIES: readonly (readonly [category: string, words: readonly string[]])[] = [
  ['ui-component', ['flux', 'ui/component']],
  ['brand', ['brand', 'mascot']],
  ['product-brief', ['brief']],
  ['help-doc', ['help', 'draft']],
  ['task', ['task', 'plan']],
  ['architecture', ['architecture', 'migration']],
];

/** Returns the kind of a document by words anywhere in its path. */
export function categoryOf(path: string): string {
  const lower = path.toLowerCase();
  return CATEGORIES.find(([, words]) => words.some((word) => lower.includes(word)))?.[0] ?? 'documentation';
}
