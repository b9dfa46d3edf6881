import type { Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';
import { print } from '../print.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script with which a shell completes the commands of a program. */
export function completion(program: Command, shell: keyof typeof SCRIPTS): void {
  print(SCRIPTS[shell](commandTree(program)).trimEnd());
}
