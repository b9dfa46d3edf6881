import { isPasswordName, isSecretName, mayNameSecret } from '../names.ts';
import { redactionMark } from '../redactions.ts';
import { isPlaceholder, isSentence } from './placeholders.ts';
import { isPasswordLiteral } from './values.ts';

type OnFound = (kind: string) => void;

/** A line of a file of settings: YAML, INI, properties. */
const SETTING = /^([+-]?[ \t]*(?:- )?["']?([A-Za-z_][\w.-]{0,80})["']?[ \t]{0,8}([:=])[ \t]{1,8})([^\s"'#[{&*!|>].*)$/;
const BLOCK =
  /^([+-]?[ \t]*(?:- )?)["']?([A-Za-z_][\w.-]{0,80})["']?[ \t]{0,4}:[ \t]{1,4}[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?$/;
const SECRET_DATA = /^([ \t]*)(?:data|stringData):[ \t]*$/;
const DATUM = /^([ \t]+["']?[\w./-]{1,100}["']?:[ \t]+["']?)([^\s"'|>][^"'\n]*)/;
const SECTION = /^\[[^\]\n]{1,80}\]$/;
/** A word that people choose as a password; code has names in other spellings. */
const PLAIN_WORD = /^[a-z]{4,40}$/;

/**
 * Takes out secrets of files of settings that need more than their own line to be known: blocks of text, manifests, plain words.
 */
export function redactManifests(text: string, onFound: OnFound): string {
  if (!text.includes('\n') || !mayNameSecret(text)) return text;
  const lines = text.split('\n');
  return new Manifest(lines, onFound).redacted().join('\n');
}

class Manifest {
  readonly #lines: readonly string[];
  readonly #onFound: OnFound;
  readonly #isSecret: boolean;

  constructor(lines: readonly string[], onFound: OnFound) {
    this.#lines = lines;
    this.#onFound = onFound;
    this.#isSecret = lines.some(
      (line) => line.includes('Secret') && /^kind:[ \t]*["']?Secret["']?[ \t]*$/.test(line.trimStart()),
    );
  }

  redacted(): readonly string[] {
    const lines: string[] = [];
    /** The indentation of the block that is being taken out. */
    let block: number | undefined;
    let isInData = false;
    for (const [index, line] of this.#lines.entries()) {
      if (block !== undefined && (line.trim() === '' || indentOf(line) > block)) {
        lines.push(this.#blockLine(line));
        continue;
      }
      block = this.#blockAt(line);
      if (this.#isSecret && SECRET_DATA.test(line)) isInData = true;
      else if (isInData && !/^[ \t]+\S/.test(line)) isInData = false;
      lines.push(isInData ? this.#datum(line) : this.#setting(line, index));
    }
    return lines;
  }

  #blockAt(line: string): number | undefined {
    const match = mayNameSecret(line) ? BLOCK.exec(line) : null;
    return match !== null && isSecretName(match[2]!) ? indentOf(match[1]!.padEnd(line.search(/\w|["']/))) : undefined;
  }

  #blockLine(line: string): string {
    const value = line.trim();
    if (value === '' || isPlaceholder(value) || isSentence(value)) return line;
    this.#onFound('secret');
    return `${line.slice(0, line.indexOf(value))}${redactionMark('secret')}`;
  }

  #datum(line: string): string {
    return line.replace(DATUM, (whole, before: string, found: string) => {
      const value = found.trimEnd();
      if (isPlaceholder(value)) return whole;
      this.#onFound('secret');
      return `${before}${redactionMark('secret')}${found.slice(value.length)}`;
    });
  }

  /** Plain words, which would be words of code or of a sentence if the lines around them were no settings too. */
  #setting(line: string, index: number): string {
    const match = mayNameSecret(line) ? SETTING.exec(line) : null;
    if (match === null) return line;
    const [, before = '', name = '', sign, rest = ''] = match;
    const value = rest.split(' #', 1)[0]!.trimEnd();
    if (!isPasswordName(name) || !isSecretName(name) || !PLAIN_WORD.test(value)) return line;
    if (!isPasswordLiteral(value, false) || !this.#isAmongSettings(index, sign!)) return line;
    this.#onFound('password');
    return `${before}${redactionMark('password')}${rest.slice(value.length)}`;
  }

  #isAmongSettings(index: number, sign: string): boolean {
    const around = [this.#lines[index - 1], this.#lines[index + 1]].filter((line) => line !== undefined);
    if (sign === '=')
      return around.some((line) => SECTION.test(line.trim())) || this.#lines.some((line) => SECTION.test(line));
    return around.some((line) => /^[+-]?[ \t]*(?:- )?["']?[\w.-]+["']?:(?:[ \t]+[^\s,;{}()]+)?[ \t]*$/.test(line));
  }
}

function indentOf(line: string): number {
  const indent = line.search(/[^\s+-]/);
  return indent === -1 ? 0 : indent;
}
