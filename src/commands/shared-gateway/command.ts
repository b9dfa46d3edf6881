import { defineCommand } from '../define.ts';
import { CONFIG_FLAG } from '../terminal/flags/common-flags.ts';

export const sharedGatewayCommand = defineCommand({
  name: 'shared-gateway',
  description: 'run the gateway that several "viaduct stdio" share; they start it',
  isHidden: true,
  configure: (command) => {
    command
      .requiredOption(...CONFIG_FLAG)
      .requiredOption('--key <key>', 'the key by which the clients find it')
      .option('--of-folder', 'the config lies in a working folder')
      .action(async (options) => (await import('./shared-gateway.ts')).sharedGateway(options));
  },
});
