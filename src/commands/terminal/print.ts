import { exactJson } from '../../core/json/exact-json.ts';
import { prettyJsonText } from '../../core/json/json-text.ts';
import { cleanText, escapeInvisible } from '../../core/text/clean-text.ts';
import { writeOutput } from './standard-output.ts';

let isErrorWatched = false;

/**
 * Lines for people or scripts, on standard output. Upstreams have a say in most of what is printed: a terminal would
 * obey its escape sequences, so none is ever written.
 */
export function print(line = ''): void {
  writeOutput(`${cleanText(line)}\n`);
}

/** Prints a line for people: progress, or what went wrong. */
export function printError(line: string): void {
  writeError(`${cleanText(line)}\n`);
}

/** Writes a text unchanged to standard error. As for standard output: if the reader closes it, that is no error of ours. */
export function writeError(text: string): void {
  if (!isErrorWatched) process.stderr.on('error', () => undefined);
  isErrorWatched = true;
  process.stderr.write(text);
}

/** The very text for a file or a program; on a terminal as `print` shows it. */
export function printExact(text: string): void {
  if (process.stdout.isTTY) print(text);
  else writeOutput(`${text}\n`);
}

/** Prints a value as JSON. Invisible characters inside strings are escaped, which does not change the value. */
export function printJson(value: unknown): void {
  writeOutput(`${prettyJson(value)}\n`);
}

/** The same for a JSON text; its numbers stay as they are written. */
export function printJsonText(json: string): void {
  writeOutput(`${escapeInvisible(prettyJsonText(json))}\n`);
}

export function prettyJson(value: unknown): string {
  return escapeInvisible(exactJson(value, 2)!);
}

/** Prints rows in columns, each as wide as its widest cell; the last column is not padded. */
export function printTable(rows: readonly (readonly string[])[], indent = ''): void {
  const lines = rows.map((row) => row.map(printable));
  const widths = lines.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  for (const row of lines) {
    const cells = row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)));
    print(`${indent}${cells.join('  ')}`.trimEnd());
  }
}

/** Returns text of an upstream so that it can be part of one line. */
export function printable(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
