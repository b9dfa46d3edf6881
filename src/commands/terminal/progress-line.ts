import { writeError } from './print.ts';

let isShown = false;

/** Shows on standard error how far something is: on a terminal in place of the line before, elsewhere in a line of its own. */
export function showProgressLine(line: string): void {
  isShown = process.stderr.isTTY;
  writeError(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

/** Clears the progress line on a terminal before other output. */
export function endProgressLine(): void {
  if (isShown) writeError('\r\u001b[K');
  isShown = false;
}
