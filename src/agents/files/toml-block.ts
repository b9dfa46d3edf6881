import { FileEditError } from './json-edit.ts';

const BLOCK = /(?:\r?\n)?# viaduct:begin\r?\n[\s\S]*?# viaduct:end(?:\r?\n|$)/;

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
  return text.replace(BLOCK, '');
}

/** Whether the table, or a key that would be the same, is in the text. */
function hasTable(text: string, table: string): boolean {
  const [parent, name] = table.split('.') as [string, string];
  const quoted = `(?:${name}|"${name}"|'${name}')`;
  const header = new RegExp(String.raw`^\s*\[\s*${parent}\s*\.\s*${quoted}\s*[\].]`, 'm');
  const dotted = new RegExp(String.raw`^\s*${parent}\s*(?:=|\.\s*${quoted}\s*[.=])`, 'm');
  const section = new RegExp(String.raw`^\s*\[\s*${parent}\s*\][^[]*?^\s*${quoted}\s*[.=]`, 'm');
  return header.test(text) || dotted.test(text) || section.test(text);
}
