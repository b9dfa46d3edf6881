import { realpathSync } from 'node:fs';
import path from 'node:path';

export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** How this program can be started again from anywhere: by its name if it was found by that, else by its files. */
export function ownCommand(): OwnCommand {
  const script = process.argv[1] ?? '';
  if (path.basename(script) === 'viaduct') return { command: 'viaduct', args: [] };
  return { command: process.execPath, args: [realpathSync(script)] };
}
