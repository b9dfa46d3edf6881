import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const importCommand = defineCommand({
  name: 'import',
  description: "show how an agent's servers would look in the config, or write them into it",
  configure: (command) => {
    command
      .argument('<agent>', 'name of an agent, such as claude-code, cursor or codex; docs/AGENTS.md lists them')
      .option(...CONFIG_FLAG)
      .option('-w, --write', 'write the config')
      .option('-f, --file <path>', 'read only this file instead of all files of the agent')
      .option('--keep-secrets', 'copy secrets into the config as they are instead of replacing them with variables')
      .option(...JSON_FLAG)
      .action(async (agent, options) => (await import('./import.ts')).importAgent(agent, options));
  },
});
