/** A language as tools list it. */
export interface Language {
  readonly id: string;
  readonly name: string;
  readonly extensions: readonly string[];
}

export const LISTED_LANGUAGES: readonly Language[] = [
  { id: 'typescript', name: 'TypeScript', extensions: ['.ts', '.tsx'] },
  { id: 'javascript', name: 'JavaScript', extensions: ['.js', '.jsx'] },
  { id: 'go', name: 'Go', extensions: ['.go'] },
  { id: 'python', name: 'Python', extensions: ['.py'] },
  { id: 'rust', name: 'Rust', extensions: ['.rs'] },
  { id: 'java', name: 'Java', extensions: ['.java'] },
  { id: 'php', name: 'PHP', extensions: ['.php'] },
  { id: 'ruby', name: 'Ruby', extensions: ['.rb'] },
  { id: 'html', name: 'HTML', extensions: ['.html', '.htm'] },
  { id: 'css', name: 'CSS', extensions: ['.css'] },
  { id: 'json', name: 'JSON', extensions: ['.json'] },
  { id: 'yaml', name: 'YAML', extensions: ['.yaml', '.yml'] },
  { id: 'markdown', name: 'Markdown', extensions: ['.md', '.markdown'] },
  { id: 'sql', name: 'SQL', extensions: ['.sql'] },
  { id: 'shell', name: 'Shell', extensions: ['.sh', '.bash'] },
];

/** Known by their extensions too, and not listed. */
const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  c: ['.c', '.h'],
  cpp: ['.cpp', '.hpp', '.cc', '.cxx'],
  csharp: ['.cs'],
  scss: ['.scss'],
  xml: ['.xml'],
  swift: ['.swift'],
  kotlin: ['.kt', '.kts'],
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ...LISTED_LANGUAGES.flatMap(({ id, extensions }) => extensions.map((extension) => [extension, id] as const)),
  ...Object.entries(UNLISTED).flatMap(([id, extensions]) => extensions.map((extension) => [extension, id] as const)),
]);

/** Returns the language of a file, told by its name alone; `plaintext` where that says nothing. */
export function languageOf(file: string): string {
  // Either kind of path: a client may be on another system.
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  if (name === 'Dockerfile') return 'dockerfile';
  const dot = name.lastIndexOf('.');
  return (dot === -1 ? undefined : BY_EXTENSION.get(name.slice(dot).toLowerCase())) ?? 'plaintext';
}
