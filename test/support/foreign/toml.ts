import { parseTOML } from 'toml-eslint-parser';
import { readToml } from '../../../src/agents/files/toml-document.ts';
import { type ForeignEdit, freshName, placeOf } from './edits.ts';

export const TOML_EDITS = ['comment line', 'comment behind', 'empty line', 'table', 'server', 'key'] as const;
export type TomlEdit = ForeignEdit<(typeof TOML_EDITS)[number]>;

/** The comments in a TOML text as they are written, sorted; without the marks that we wrote once. */
export function tomlComments(text: string): string[] {
  return parseTOML(text.replace(/^\uFEFF/, ' '))
    .comments.map(({ value }) => value)
    .filter((comment) => !/^ viaduct:(?:begin|end)$/.test(comment))
    .sort();
}

/** A TOML text after edits of another program, which knows the format and not our entry. */
export function editToml(text: string, edits: readonly TomlEdit[], eol: string): string {
  return edits.reduce((result, edit) => {
    const next = applyOne(result, edit, eol);
    return isToml(next) ? next : result;
  }, text);
}

function applyOne(text: string, edit: TomlEdit, eol: string): string {
  const place = placeOf(lineStarts(text), edit)!;
  const name = freshName();
  const lines = {
    'comment line': `# ${name}${eol}`,
    'comment behind': ` # ${name}`,
    'empty line': eol,
    table: `[${name}] # of others${eol}text = """${eol}[mcp_servers.viaduct]${eol}# viaduct:end${eol}"""${eol}`,
    server: `[mcp_servers.${name}]${eol}command = '${name}'${eol}`,
    key: `${name}  =  1_000${eol}`,
  };
  // Behind a line is before its line end.
  const at = edit.kind === 'comment behind' && place > 0 ? text.slice(0, place).replace(/\r?\n$/, '').length : place;
  return text.slice(0, at) + lines[edit.kind] + text.slice(at);
}

/** Returns the offsets of lines that are not inside a text or list of several lines. */
function lineStarts(text: string): number[] {
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  const starts = [first, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return starts.filter((at) => isToml(text.slice(0, at)));
}

function isToml(text: string): boolean {
  try {
    readToml(text);
    return true;
  } catch {
    return false;
  }
}
