import { byFiles, findOwnCommand, type OwnCommand, ownFile } from './find-own-command.ts';

export type { OwnCommand };

const running = () => ({ script: process.argv[1] ?? '', node: process.execPath, env: process.env });

/** Returns how this program can be started again from anywhere. */
export function ownCommand(): OwnCommand {
  return findOwnCommand(running());
}

/** The same for agents that look for programs where no shell has been. */
export function ownCommandByFiles(): OwnCommand {
  return byFiles(running());
}

/** Returns the file of this program, by which an agent may run it. */
export function ownScript(): string {
  return ownFile(running().script);
}
