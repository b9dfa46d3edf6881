import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language, Parser } from 'web-tree-sitter';
import { grammarOf, type LanguageName } from './roles.ts';

/** Where the build puts them, seen from `dist/chunks/`; and the packages they are from, for sources that are run as they are. */
const BUILT = ['../grammars', './grammars'];

/** A grammar that could not be loaded is not tried again. */
const parsers = new Map<LanguageName, Promise<Parser | undefined>>();

export const parserFor = (language: LanguageName): Promise<Parser | undefined> => {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const made = makeParser(language).catch(() => undefined);
  parsers.set(language, made);
  return made;
};

async function makeParser(language: LanguageName): Promise<Parser | undefined> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await load(Language, grammarOf(language).file));
  return parser;
}

async function load(languages: typeof Language, name: string): Promise<Language> {
  return await languages.load(await readFile(fileOf(name)));
}

function fileOf(name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const built = BUILT.map((folder) => path.join(here, folder, `${name}.wasm`)).find((file) => existsSync(file));
  if (built) return built;
  const require = createRequire(import.meta.url);
  const pkg =
    name === 'tree-sitter-bash'
      ? '@vscode/tree-sitter-wasm/wasm'
      : name === 'tree-sitter-kotlin'
        ? '@tree-sitter-grammars/tree-sitter-kotlin'
        : '@repomix/tree-sitter-wasms/out';
  return require.resolve(`${pkg}/${name}.wasm`);
}
