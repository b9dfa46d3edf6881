import type { Command } from 'commander';
import { print } from '../terminal/print.ts';
import { bashScript } from './bash.ts';
import { commandTree } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script with which a shell completes the commands of a program. */
export function completion(program: Command, shell: keyof typeof SCRIPTS): void {
  print(SCRIPTS[shell](commandTree(program)).trimEnd());
}
