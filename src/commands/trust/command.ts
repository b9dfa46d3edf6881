import type { Command } from 'commander';
import { JSON_FLAG } from '../terminal/flags.ts';

/** `viaduct trust`: decides whether the config of a folder is used. */
export function addTrustCommand(program: Command): void {
  program
    .command('trust')
    .description(
      'show the config of a folder in full, and use it there once you have agreed; asks again when it changes',
    )
    .argument('[folder]', 'folder with viaduct.yaml or .viaduct/config.yaml (default: this one)')
    .option('-y, --yes', 'agree without being asked')
    .option('--accept <sha256>', 'agree to what was shown under this SHA-256')
    .option('-l, --list', 'only list what you trust')
    .option('--remove', 'no longer trust the config of the folder')
    .option(...JSON_FLAG)
    .action(async (folder, options) => (await import('./trust.ts')).trust(folder, options));
}
