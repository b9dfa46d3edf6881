/** An option of a command line. */
export interface Option {
  /** With its dashes. One of a cluster such as `-it` is an option by itself. */
  readonly name: string;
  /** `undefined` if none was written. */
  readonly value: string | undefined;
}

export interface ReadOptions {
  readonly options: readonly Option[];
  /** The index of the first word that is no option. */
  readonly next: number;
}

/**
 * Reads the options that begin at an index, the way pflag (docker, podman) and getopt do: `--name value`, `--name=value`,
 * `-n value`, `-nvalue`, `-n=value`, clusters of short options, and `--` as the end. `takesValue` says of which options the
 * next word is the value.
 */
export function readOptions(
  words: readonly string[],
  from: number,
  takesValue: (name: string) => boolean,
): ReadOptions {
  const options: Option[] = [];
  let next = from;
  while (next < words.length) {
    const word = words[next]!;
    if (word === '--') return { options, next: next + 1 };
    if (!word.startsWith('-') || word === '-') break;
    next += 1;
    const read = word.startsWith('--') ? [longOption(word)] : shortOptions(word, takesValue);
    const last = read.at(-1)!;
    if (last.value === undefined && takesValue(last.name)) {
      read[read.length - 1] = { name: last.name, value: words[next] };
      next += 1;
    }
    options.push(...read);
  }
  return { options, next: Math.min(next, words.length) };
}

function longOption(word: string): Option {
  const equals = word.indexOf('=');
  return equals < 0 ? { name: word, value: undefined } : { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

function shortOptions(word: string, takesValue: (name: string) => boolean): Option[] {
  const options: Option[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word[index]}`;
    const rest = word.slice(index + 1);
    if (rest.startsWith('=')) return [...options, { name, value: rest.slice(1) }];
    if (rest !== '' && takesValue(name)) return [...options, { name, value: rest }];
    options.push({ name, value: undefined });
  }
  return options;
}

/** The texts that Go's `strconv.ParseBool` reads as true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Returns whether the last option of these names switches something on. */
export function isOn(options: readonly Option[], ...names: readonly string[]): boolean {
  const last = options.findLast(({ name }) => names.includes(name));
  return last !== undefined && (last.value === undefined || TRUE.has(last.value));
}
