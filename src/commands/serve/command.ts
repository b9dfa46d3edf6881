import { defineCommand } from '../define.ts';
import { CONFIG_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  description: 'serve clients over HTTP, including every "viaduct stdio" that uses the same config',
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option(
        '--host <address>',
        'address to listen on; any but a loopback address needs tokens and TLS (docs/ACCESS.md)',
      )
      .option('-p, --port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535))
      .action(async (options) => (await import('./serve.ts')).serve(options));
  },
});
