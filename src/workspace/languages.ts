import path from 'node:path';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.js': 'javascript',
  '.json': 'json',
  '.md': 'markdown',
  '.py': 'python',
  '.go': 'go',
};

/** The language of a file, told by its name alone. */
export function languageOf(file: string): string {
  return BY_EXTENSION[path.extname(file)] ?? 'plaintext';
}
