import { shown } from '../terminal/shown-word.ts';
import { ownCommand } from './own-command.ts';

/** How this program is started, as a line for a shell. */
export function shownCommand(): string {
  const { command, args } = ownCommand();
  return [command, ...args].map(shown).join(' ');
}
