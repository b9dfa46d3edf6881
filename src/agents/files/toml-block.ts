import { FileEditError } from './json-edit.ts';
import { findBlock } from './marked-block.ts';

const BEGIN = /(?:\r?\n)?# viaduct:begin\r?\n/;
const END = /# viaduct:end(?:\r?\n|$)/;

/**
 * The TOML text with a table of ours at its end, between markers. A table may stand there whatever comes before it.
 * @throws FileEditError when the user has written that table already
 */
export function setTable(text: string, table: string, lines: readonly string[]): string {
  const rest = removeTable(text);
  if (hasTable(rest, table)) throw new FileEditError(`it has [${table}] already`);
  const block = ['# viaduct:begin', `[${table}]`, ...lines, '# viaduct:end', ''].join('\n');
  const gap = rest === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  const whole = `${gap}${block}`;
  return rest + (rest.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole);
}

export function removeTable(text: string): string {
  const block = findBlock(text, BEGIN, END);
  return block === undefined ? text : text.slice(0, block.start) + text.slice(block.end);
}

/** Whether the table, or a key that would be the same, is in the text. */
function hasTable(text: string, table: string): boolean {
  const [parent, name] = table.split('.') as [string, string];
  // No white space goes over line ends here: a pattern would look at all empty lines behind each of them.
  const quoted = `(?:${name}|"${name}"|'${name}')`;
  const header = new RegExp(String.raw`^[ \t]*\[[ \t]*${parent}[ \t]*\.[ \t]*${quoted}[ \t]*[\].]`, 'm');
  const dotted = new RegExp(String.raw`^[ \t]*${parent}[ \t]*(?:=|\.[ \t]*${quoted}[ \t]*[.=])`, 'm');
  const section = new RegExp(String.raw`^[ \t]*\[[ \t]*${parent}[ \t]*\][^[]*?^[ \t]*${quoted}[ \t]*[.=]`, 'm');
  return header.test(text) || dotted.test(text) || section.test(text);
}
