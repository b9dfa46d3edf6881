import { CommanderError } from 'commander';
import { EXIT } from '../commands/terminal/exit-codes.ts';
import { printError } from '../commands/terminal/print.ts';
import { UsageError } from '../commands/terminal/usage-error.ts';
import { ConfigError } from '../config/findings/config-error.ts';
import { systemErrorText } from '../core/text/system-error.ts';

/**
 * Prints an error that ended a command, unless commander has printed it already.
 * @returns the exit code for the error
 */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ConfigError) {
    printError(error.format());
    return error.issues.some(({ isUnprotected }) => isUnprotected) ? EXIT.unprotected : EXIT.usage;
  }
  const message = systemErrorText(error) ?? (error instanceof Error ? error.message : String(error));
  printError(`viaduct: ${message}`);
  if (error instanceof UsageError) return EXIT.usage;
  // The class is compared by name because its module is loaded only by commands that start a gateway.
  if (error instanceof Error && error.name === 'UnprotectedError') return EXIT.unprotected;
  return EXIT.failed;
}
