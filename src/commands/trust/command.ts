import { defineCommand } from '../define.ts';
import { JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const trustCommand = defineCommand({
  name: 'trust',
  description: "show a folder's config in full and use it once you agree; asks again when it changes",
  configure: (command) => {
    command
      .argument('[folder]', 'folder with viaduct.yaml or .viaduct/config.yaml (default: the current folder)')
      .option('-y, --yes', 'agree without being asked')
      .option('--accept <sha256>', 'agree to what was shown under this SHA-256')
      .option('-l, --list', 'only list the configs that you trust')
      .option('--remove', "stop trusting the folder's config")
      .option(...JSON_FLAG)
      .action(async (folder, options) => (await import('./trust.ts')).trust(folder, options));
  },
});
