import { redactionMark } from './redactions.ts';
import { secretKindOf } from './secret-kind.ts';
import { isPlaceholder } from './values.ts';

const ENV_LINE = /^([ \t+>-]*(?:export |set |ENV |- )?)([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;
/** A value that is no secret in a file of settings. */
const PLAIN_SETTING =
  /^(?:|true|false|yes|no|on|off|\d{1,6}|[a-z]{1,16}|localhost|127\.0\.0\.1|::1|0\.0\.0\.0|https?:\/\/[\w.:-]{1,60}(?:\/[\w./-]{0,30})?|[~.]?\/[\w./-]*|\d+(?:\.\d+){1,3}|\d+[a-z]{1,3})$/i;

/** Values of `NAME=value` lines to their ends. In a block of such lines all that are no plain settings are taken out. */
export function redactEnvLines(text: string, onFound: (kind: string) => void): string {
  if (!text.includes('=')) return text;
  const lines = text.split('\n');
  const parts = lines.map((line) => ENV_LINE.exec(line));
  return lines
    .map((line, index) => {
      const match = parts[index];
      if (!isSetting(match)) return line;
      const [, before = '', name = '', value = ''] = match;
      const isInBlock = isSetting(parts[index - 1]) || isSetting(parts[index + 1]);
      const kind = envKindOf(name, value.trim(), isInBlock);
      if (kind === undefined) return line;
      onFound(kind);
      return `${before}${name}=${redactionMark(kind)}`;
    })
    .join('\n');
}

function envKindOf(name: string, value: string, isInBlock: boolean): string | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  const literal = quoted ?? withoutComment(value);
  if (isPlaceholder(literal)) return undefined;
  const firstWord = quoted ?? literal.split(/\s/, 1)[0]!;
  const kind = secretKindOf(name, firstWord, 'quoted');
  if (kind !== undefined) return kind;
  return isInBlock && !/\s/.test(literal) && !PLAIN_SETTING.test(literal) ? 'env' : undefined;
}

/** Returns whether a line is one of a `.env` file: names in code and in sentences have small letters. */
function isSetting(match: RegExpExecArray | null | undefined): match is RegExpExecArray {
  return match !== null && match !== undefined && /^[A-Z][A-Z0-9_]*$/.test(match[2]!);
}

/** Without the comment behind it, `# …` after a space. */
function withoutComment(value: string): string {
  const comment = value.search(/\s#/);
  return comment === -1 ? value : value.slice(0, comment).trimEnd();
}
