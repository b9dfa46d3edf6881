import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { FileEditError, type TextRange } from './text-edits.ts';

/**
 * Parses TOML; a byte order mark may come first.
 * @throws FileEditError if the text is not TOML; it quotes nothing
 */
export function readToml(text: string): TomlTable {
  try {
    return plain(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })) as TomlTable;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new FileEditError(`it is not TOML (line ${error.line}, column ${error.column})`);
  }
}

/** Returns a value with ordinary objects: the parser makes tables without a prototype, which are never equal to ours. */
function plain(value: TomlValue): TomlValue {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value instanceof TomlDate) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** The path of a table: that of its parent, and its name there. */
export type TablePath = readonly [parent: string, name: string];

/** A table in a TOML text: from its header to the end of its last value. */
export interface TomlPart extends TextRange {
  /** True if it is `[parent.name]` itself, not a table below it. */
  readonly isWhole: boolean;
}

/** Positions in a TOML text. */
export interface TomlLayout {
  /** The tables of one entry: `[parent.name]` and those below it. */
  readonly parts: readonly TomlPart[];
  readonly comments: readonly TextRange[];
}

/**
 * Finds the tables of an entry, and all comments.
 * @throws FileEditError if the text is not TOML, or a string in it has more than about 100,000 characters
 */
export function layoutOfToml(text: string, [parent, name]: TablePath): TomlLayout {
  readToml(text); // refuses texts that are nested too deeply
  const { body, comments } = parsed(text);
  const tables = body[0].body.filter((node) => node.type === 'TOMLTable');
  return {
    parts: tables
      .filter(({ resolvedKey }) => resolvedKey[0] === parent && resolvedKey[1] === name)
      .map(({ range: [start, end], kind, resolvedKey }) => ({
        start,
        end,
        isWhole: kind === 'standard' && resolvedKey.length === 2,
      })),
    comments: comments.map(({ range: [start, end] }) => ({ start, end })),
  };
}

function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text.replace(/^\uFEFF/, ' '), { tomlVersion: '1.1' });
  } catch (error) {
    // The parser puts the characters of a text on the stack.
    if (error instanceof RangeError) throw new FileEditError('it contains a very long text: edit it by hand');
    if (!(error instanceof ParseError)) throw error;
    throw new FileEditError(`it is not TOML (line ${error.lineNumber}, column ${error.column + 1})`);
  }
}
