import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const tokenCommand = defineCommand({
  name: 'token',
  description: 'manage the bearer tokens of clients that connect over HTTP',
  configure: (command) => {
    command
      .command('create')
      .description('create a token and print it once, with the entry that the config needs')
      .argument('<name>', 'who the token is for')
      .option(...CONFIG_FLAG)
      .option('--upstreams <keys>', 'only these upstreams, separated by commas')
      .option('--workflows <names>', 'only these workflows, separated by commas')
      .option('--projects <globs>', 'only checkpoints, tasks and metrics of these projects, separated by commas')
      .option('--expires <when>', 'a duration such as 90d or 12h, or a date')
      .option('-w, --write', 'write the entry into the config; a running gateway applies it at once')
      .option(...JSON_FLAG)
      .action(async (name, options) => (await import('./token.ts')).createToken(name, options));
    command
      .command('list')
      .description('list the tokens of the config')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./token.ts')).listTokens(options));
    command
      .command('revoke')
      .description('remove a token from the config; a running gateway ends its sessions at once')
      .argument('<name>', 'name of the token')
      .option(...CONFIG_FLAG)
      .action(async (name, options) => (await import('./token.ts')).revokeToken(name, options));
  },
});
