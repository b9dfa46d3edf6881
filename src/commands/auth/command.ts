import { type Command, InvalidArgumentError } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

const MAX_SECONDS = 3_600;

/** `viaduct auth …`: logins to upstreams. */
export function addAuthCommands(program: Command): void {
  const auth = program.command('auth').description('log in to upstreams that want to know who you are');
  auth
    .command('login')
    .description('log in to an upstream with a browser')
    .argument('<upstream>', 'its name in the config')
    .option(...CONFIG_FLAG)
    .option('--no-browser', 'print the address instead of opening it')
    .option('--timeout <seconds>', 'how long to wait for the browser', seconds, 300)
    .action(async (upstream, options) => (await import('./auth.ts')).loginTo(upstream, options));
  auth
    .command('logout')
    .description('forget the login to an upstream, and take it back at its authorization server')
    .argument('<upstream>', 'its name in the config')
    .option(...CONFIG_FLAG)
    .action(async (upstream, options) => (await import('./auth.ts')).logoutFrom(upstream, options));
  auth
    .command('status')
    .description('show to which upstreams you are logged in, never a token')
    .argument('[upstream]', 'only this one; exit code 1 when you are not logged in to it')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (upstream, options) => (await import('./auth.ts')).authStatus(upstream, options));
}

function seconds(text: string): number {
  if (/^[0-9]{1,4}$/.test(text) && Number(text) > 0 && Number(text) <= MAX_SECONDS) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SECONDS}.`);
}
