import { defineCommand } from '../define.ts';

export const initCommand = defineCommand({
  name: 'init',
  description: 'write a commented starter config, or one with the servers of an agent',
  configure: (command) => {
    command
      .argument('[file]', 'file to write (default: ./viaduct.yaml)')
      .option('-g, --global', "write the user's config, which applies in all folders")
      .option('-f, --force', 'replace an existing file')
      .option('--import <file>', "show what would be imported from an agent's config (JSON or TOML)")
      .option('--accept <sha256>', 'import what --import showed under this SHA-256')
      .action(async (file, options) => (await import('./init.ts')).init(file, options));
  },
});
