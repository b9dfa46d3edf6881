import { isSecretName } from '../names.ts';
import { redactionMark } from '../redactions.ts';
import { secretKindOf } from '../secret-kind.ts';
import { isPlaceholder, isSentence } from './placeholders.ts';

/** Names in code and in sentences have small letters. */
const ENV_LINE = /^([ \t+>-]*(?:export |set |ENV |ARG |- )?)([A-Z][A-Z0-9_]*)=(.*)$/;
/** Takes the values of `NAME=value` lines out to their ends, where the name or the value says that they are secrets. */
export function redactEnvLines(text: string, onFound: (kind: string) => void): string {
  if (!text.includes('=')) return text;
  return text
    .split('\n')
    .map((line) => {
      const match = ENV_LINE.exec(line);
      if (match === null) return line;
      const [, before = '', name = '', value = ''] = match;
      const kind = envKindOf(name, value.trim());
      if (kind === undefined) return line;
      onFound(kind);
      return `${before}${name}=${redactionMark(kind)}`;
    })
    .join('\n');
}

function envKindOf(name: string, value: string): string | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  const literal = quoted ?? withoutComment(value);
  if (isPlaceholder(literal)) return undefined;
  const firstWord = quoted ?? literal.split(/\s/, 1)[0]!;
  // A key of several words has quotation marks around it.
  const isPhrase = quoted !== undefined && /\s/.test(quoted) && /\d/.test(quoted) && !isSentence(quoted);
  return secretKindOf(name, firstWord, 'quoted') ?? (isPhrase && isSecretName(name) ? 'secret' : undefined);
}

/** Returns the value without the comment behind it, `# …` after a space. */
function withoutComment(value: string): string {
  const comment = value.search(/\s#/);
  return comment === -1 ? value : value.slice(0, comment).trimEnd();
}
