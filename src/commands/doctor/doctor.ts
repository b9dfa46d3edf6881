import { escaped } from '../../core/text/escaped.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printJson } from '../terminal/print.ts';
import { onSignal } from '../terminal/shutdown.ts';
import type { Check, Mark } from './checks/check.ts';
import { examine } from './run-checks.ts';

const SHOWN: Readonly<Record<Mark, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skipped: '-' };
const MARK_WIDTH = 4;

/** Checks everything that the gateway needs and explains how to fix problems. Exits with 1 if something is wrong. */
export async function doctor(options: { readonly config?: string; readonly json?: boolean }): Promise<void> {
  const abort = new AbortController();
  const examined = examine({ config: options.config, env: process.env, signal: abort.signal });
  onSignal(async () => {
    abort.abort();
    await examined;
  });
  const checks = await examined;
  const failed = checks.filter(({ mark }) => mark === 'fail').length;
  if (options.json === true) printJson({ ok: failed === 0, checks });
  else show(checks);
  process.exitCode = failed === 0 ? EXIT.ok : EXIT.failed;
}

function show(checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = ' '.repeat(MARK_WIDTH + width + 4);
  for (const { mark, name, text, fix, lines = [] } of checks) {
    print(`${SHOWN[mark].padEnd(MARK_WIDTH)}  ${name.padEnd(width)}  ${printable(text)}`);
    for (const line of lines) print(`${indent}  ${escaped(line)}`);
    if (fix !== undefined) print(`${indent}fix: ${printable(fix)}`);
  }
  const count = (wanted: Mark): number => checks.filter(({ mark }) => mark === wanted).length;
  print();
  print(`${count('ok')} ok, ${count('warn')} to check, ${count('fail')} wrong`);
}
