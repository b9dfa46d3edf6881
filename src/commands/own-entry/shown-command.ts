import { shown } from '../terminal/shown-word.ts';
import { ownCommand } from './own-command.ts';

/** Returns the command that starts this program, as a line for a shell. */
export function shownCommand(): string {
  const { command, args } = ownCommand();
  return [command, ...args].map(shown).join(' ');
}
