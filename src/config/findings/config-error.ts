import { excerpt, printable } from './excerpt.ts';

/** One thing that is wrong with a config file. */
export interface ConfigIssue {
  /** Counted from 1. 0 where the file as a whole is meant: it is missing, too large, not readable. */
  readonly line: number;
  /** Counted from 1 in UTF-16 code units, as editors do; 0 together with `line`. */
  readonly column: number;
  /** The path of the key, such as `upstreams.github.args[2]`; `''` for the whole file. */
  readonly jsonPath: string;
  readonly message: string;
  /** The way to correct it; may have several lines. */
  readonly hint?: string;
  /** The one command that corrects it, if there is one. */
  readonly fix?: string;
  /** The config would open the gateway to others without protection. */
  readonly isUnprotected?: boolean;
}

export interface ConfigErrorDetail {
  /** Text of the file, secrets masked, from which `format` shows the lines concerned. */
  readonly source?: string;
  readonly cause?: unknown;
}

/** The number of issues that are shown: more are unreadable at once, and the first ones are often the cause of the rest. */
const SHOWN_ISSUES = 50;

/** A config file that cannot be used: everything that is wrong with it, in the order of the file. */
export class ConfigError extends Error {
  readonly path: string;
  readonly issues: readonly ConfigIssue[];
  readonly #source: string | undefined;

  constructor(path: string, issues: readonly ConfigIssue[], detail: ConfigErrorDetail = {}) {
    const sorted = issues.toSorted((a, b) => a.line - b.line || a.column - b.column);
    super(oneLine(path, sorted), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ConfigError';
    this.path = path;
    this.issues = sorted;
    this.#source = detail.source;
  }

  /** Returns every issue with its hint, its line of the file and a caret. `shownPath` replaces the path. */
  format(shownPath: string = this.path): string {
    const shown = this.issues.slice(0, SHOWN_ISSUES).map((issue) => this.#formatIssue(issue, shownPath));
    const left = this.issues.length - shown.length;
    return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n\n');
  }

  #formatIssue(issue: ConfigIssue, shownPath: string): string {
    const hint = issue.hint === undefined ? [] : issue.hint.split('\n').map((line) => `    ${printable(line)}`);
    const lines = this.#source === undefined ? [] : excerpt(this.#source, issue);
    return [headline(shownPath, issue), ...hint, ...lines].join('\n');
  }
}

/** Describes the first issue in one line, with what to do, and says how many more there are. */
export function issueLine([first, ...rest]: readonly ConfigIssue[]): string {
  if (first === undefined) return 'it cannot be used';
  const { line, column, jsonPath, message, hint } = first;
  const place = line === 0 ? '' : `line ${line}:${column}, `;
  const path = jsonPath === '' ? '' : `${jsonPath}: `;
  const fix = hint === undefined ? '' : ` (${inOneLine(hint)})`;
  const more = rest.length === 0 ? '' : `; and ${rest.length} more: viaduct config check`;
  return printable(`${place}${path}${message}${fix}${more}`);
}

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join(' ');
}

function headline(path: string, issue: ConfigIssue): string {
  const place = issue.line === 0 ? path : `${path}:${issue.line}:${issue.column}`;
  // Keys and aliases are quoted from the file.
  return `${place}  ${printable(`${issue.jsonPath === '' ? '' : `${issue.jsonPath}: `}${issue.message}`)}`;
}

function oneLine(path: string, issues: readonly ConfigIssue[]): string {
  const [first, ...rest] = issues;
  if (first === undefined) return `${path}  cannot be used`;
  return headline(path, first) + (rest.length === 0 ? '' : ` (and ${rest.length} more)`);
}
