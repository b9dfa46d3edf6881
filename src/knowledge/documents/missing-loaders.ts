import { createRequire } from 'node:module';

/** Kinds of documents by the optional package that reads them. */
const LOADERS: readonly (readonly [name: string, documents: string])[] = [
  ['@mozilla/readability', '.html'],
  ['linkedom', '.html'],
  ['turndown', '.html and .docx'],
  ['mammoth', '.docx'],
  ['pdfjs-dist', '.pdf'],
];

export interface MissingLoader {
  /** The package. */
  readonly name: string;
  /** The documents that cannot be read without it. */
  readonly documents: string;
}

/** Returns the packages for documents that are not installed. Loads none of them. */
export function missingLoaders(): MissingLoader[] {
  const require = createRequire(import.meta.url);
  const isMissing = ([name]: readonly [string, string]) => {
    try {
      require.resolve(`${name}/package.json`);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    }
  };
  return LOADERS.filter(isMissing).map(([name, documents]) => ({ name, documents }));
}
