import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

export const authCommand = defineCommand({
  name: 'auth',
  description: 'log in to upstreams that require authentication',
  configure: (command) => {
    command
      .command('login')
      .description('log in to an upstream with a browser')
      .argument('<upstream>', 'its name in the config')
      .option(...CONFIG_FLAG)
      .option('--no-browser', 'print the URL instead of opening it')
      .option('--timeout <seconds>', 'how long to wait for the browser', wholeNumber(1, 3_600), 300)
      .action(async (upstream, options) => (await import('./auth.ts')).loginTo(upstream, options));
    command
      .command('logout')
      .description('delete the login to an upstream and revoke it at its authorization server')
      .argument('<upstream>', 'its name in the config')
      .option(...CONFIG_FLAG)
      .action(async (upstream, options) => (await import('./auth.ts')).logoutFrom(upstream, options));
    command
      .command('status')
      .description('show which upstreams you are logged in to; never shows a token')
      .argument('[upstream]', 'only this upstream; exit code 1 if you are not logged in to it')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (upstream, options) => (await import('./auth.ts')).authStatus(upstream, options));
  },
});
