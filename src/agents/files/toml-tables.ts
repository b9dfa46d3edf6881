import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError, type TomlTable } from 'smol-toml';
import { FileEditError } from './json-edit.ts';

/** @throws FileEditError where the text is no TOML; it quotes nothing */
export function readToml(text: string): TomlTable {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new FileEditError(`it is not TOML (line ${error.line}, column ${error.column})`);
  }
}

/** Lines that look like headers and are none. Each costs a look at all that stands before it in its table. */
const MAX_GUESSES = 100;

/** A text, and what was taken out of it. */
export interface TakenOut {
  readonly rest: string;
  readonly taken: string;
}

/**
 * The text without the tables of one entry: `[parent.name]` and those below it.
 * @throws FileEditError where it is written in another way, or the text is no TOML
 */
export function takeTables(text: string, parent: string, name: string): TakenOut {
  const lines = text.split(/(?<=\n)/);
  const owners = ownersOf(lines);
  const isMeant = (path: readonly string[] | undefined): boolean => path?.[0] === parent && path[1] === name;
  const rest = lines.filter((_line, index) => !isMeant(owners[index])).join('');
  const taken = lines.filter((_line, index) => isMeant(owners[index])).join('');
  const expected = readToml(text);
  const members = expected[parent] as TomlTable | undefined;
  if (members !== undefined) delete members[name];
  if (!isDeepStrictEqual(withoutEmpty(tryParse(rest) ?? {}, parent), withoutEmpty(expected, parent))) {
    throw new FileEditError(
      `its server ${JSON.stringify(name)} is not written as a table of its own: change it by hand`,
    );
  }
  return { rest, taken };
}

function tryParse(text: string): TomlTable | undefined {
  try {
    return readToml(text);
  } catch {
    return undefined;
  }
}

function withoutEmpty(root: TomlTable, parent: string): TomlTable {
  const { [parent]: members, ...others } = root;
  return members === undefined || Object.keys(members).length === 0 ? others : root;
}

/** For each line the table it belongs to. Comments before a header are of no table. */
function ownersOf(lines: readonly string[]): (readonly string[] | undefined)[] {
  const headers = headersOf(lines);
  let owner: readonly string[] | undefined;
  const owners = headers.map((header) => (owner = header ?? owner));
  let isBeforeHeader = false;
  for (let index = lines.length - 1; index >= 0; index--) {
    const isComment = /^\s*#/.test(lines[index]!);
    if (headers[index] !== undefined) isBeforeHeader = true;
    else if (!isComment && lines[index]!.trim() !== '') isBeforeHeader = false;
    else if (isComment && isBeforeHeader) owners[index] = undefined;
  }
  return owners;
}

/**
 * For each line the keys of its table, where it is a header. A line that looks like one may stand inside a text or a list:
 * then what comes before it, from the last header on, is no whole TOML.
 * @throws FileEditError where very many lines only look like headers
 */
function headersOf(lines: readonly string[]): (readonly string[] | undefined)[] {
  let begin = 0;
  let guesses = 0;
  return lines.map((line, index) => {
    const path = pathIn(line);
    if (path === undefined) return undefined;
    if (tryParse(lines.slice(begin, index).join('')) === undefined) {
      if (++guesses > MAX_GUESSES)
        throw new FileEditError('it has very many lines that look like tables: change it by hand');
      return undefined;
    }
    begin = index;
    return path;
  });
}

/** The keys of a header; `undefined` where the line does not look like one. */
function pathIn(line: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  const table = tryParse(line);
  if (table === undefined) return undefined;
  const path: string[] = [];
  for (let here: unknown = table; ; ) {
    if (Array.isArray(here)) here = here[0];
    const [key] = Object.keys(here as TomlTable);
    if (key === undefined) return path;
    path.push(key);
    here = (here as TomlTable)[key];
  }
}
