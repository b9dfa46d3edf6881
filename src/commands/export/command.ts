import { Option } from 'commander';
import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, HTTP_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const exportCommand = defineCommand({
  name: 'export',
  description: "show an agent's file with an entry for this gateway in it, or write it",
  configure: (command) => {
    command
      .argument('<agent>', 'name of an agent, such as claude-code, cursor or codex; docs/AGENTS.md lists them')
      .option(...CONFIG_FLAG)
      .option('-w, --write', 'write the file')
      .addOption(
        new Option('-s, --scope <scope>', "the user's list of servers, or the list of the project in this folder")
          .choices(['user', 'project'])
          .default('user'),
      )
      .option('-p, --profile <name>', 'limit the agent to this profile of the config')
      .option(...HTTP_FLAG)
      .option('--replace', 'remove servers that the gateway also provides')
      .option('--undo', 'remove what an export wrote')
      .option(...JSON_FLAG)
      .action(async (agent, options) => (await import('./export.ts')).exportGateway(agent, options));
  },
});
