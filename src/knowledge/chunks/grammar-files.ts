import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import files from './grammar-files.json' with { type: 'json' };
import type { LanguageName } from './roles.ts';

/** Folders in which the build puts the grammars, relative to a file of `dist/`, of a folder in it, or of one in that. */
const BUILT = ['./grammars/', '../grammars/', '../../grammars/'];

/**
 * Returns the file of a grammar: of the build, or of the packages where sources are run as they are.
 * @throws when it is in neither
 */
export function grammarFile(language: LanguageName, from: string = import.meta.url): string {
  const name = path.posix.basename(files[language]);
  const built = BUILT.map((folder) => new URL(folder + name, from)).find((file) => existsSync(file));
  return built === undefined ? createRequire(from).resolve(files[language]) : fileURLToPath(built);
}
