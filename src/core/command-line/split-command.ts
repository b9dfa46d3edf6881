/** A line that was cut into words. */
export interface CommandWords {
  /** Assignments in front of the program, as a shell reads them: `NAME=value npx …`. */
  readonly env: Readonly<Record<string, string>>;
  /** The program and its arguments. */
  readonly words: readonly string[];
}

interface Word {
  readonly text: string;
  /** No part of it was quoted, so a shell would obey operators in it. */
  readonly isBare: boolean;
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
/** Characters that a shell obeys between commands, and at the beginning of a redirection. */
const OPERATOR = /^(?:[|&;<>]|\d[<>])/;

/**
 * Cuts a command line into words as a POSIX shell does with quotes and backslashes. A backslash in front of anything but a
 * space, a quote or another backslash stays, so that paths of Windows stay whole. Variables are not replaced.
 * @returns `undefined` if only a shell can run the line: it has operators, substitutions, or a quote that is not closed
 */
export function splitCommand(line: string): CommandWords | undefined {
  const words = wordsOf(line);
  if (words === undefined || words.some(needsShell)) return undefined;
  const first = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  const assignments = words.slice(0, first === -1 ? words.length : first);
  return {
    env: Object.fromEntries(assignments.map(({ text }) => ASSIGNMENT.exec(text)!.slice(1) as [string, string])),
    words: words.slice(assignments.length).map(({ text }) => text),
  };
}

function needsShell({ text, isBare }: Word): boolean {
  return isBare && (OPERATOR.test(text) || text.endsWith(';') || text.includes('$(') || text.includes('`'));
}

/** Returns the words, each without its quotes; `undefined` if a quote is not closed. */
function wordsOf(line: string): Word[] | undefined {
  const words: Word[] = [];
  for (let at = 0; at < line.length; ) {
    if (isSpace(line[at]!)) {
      at += 1;
      continue;
    }
    const word = wordAt(line, at);
    if (word === undefined) return undefined;
    words.push(word);
    at = word.end;
  }
  return words;
}

/** Returns the word that begins here, and where it ends. */
function wordAt(line: string, start: number): (Word & { readonly end: number }) | undefined {
  const parts: string[] = [];
  let isBare = true;
  let quote: string | undefined;
  let at = start;
  for (; at < line.length && (quote !== undefined || !isSpace(line[at]!)); at++) {
    const character = line[at]!;
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      isBare = false;
    } else if (isEscape(line, at, quote)) parts.push(line[++at]!);
    else parts.push(character);
  }
  return quote === undefined ? { text: parts.join(''), isBare, end: at } : undefined;
}

function isEscape(line: string, at: number, quote: string | undefined): boolean {
  if (line[at] !== '\\' || quote === "'" || at + 1 === line.length) return false;
  return (quote === '"' ? '"\\' : ' \t"\'\\').includes(line[at + 1]!);
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}
