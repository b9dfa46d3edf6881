import { InvalidArgumentError, Option } from 'commander';
import { globProblem } from '../../core/glob/parse-glob.ts';
import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { lookbackMs } from '../terminal/flags/since-flag.ts';

export const auditCommand = defineCommand({
  name: 'audit',
  description: 'show who called what and with which outcome, newest last',
  configure: (command) => {
    command
      .option('-s, --since <span>', 'how far to look back: 7d, 24h, 30m (default: 1h)', lookbackMs)
      .option('-t, --tool <glob>', 'only tools, prompts and URIs that match this glob', glob)
      .option('--client <glob>', 'only clients whose names match this glob', glob)
      .option('--session <id>', 'only this session; the first characters of its id are enough')
      .addOption(new Option('-l, --level <level>', 'only entries of this level').choices(['info', 'security']))
      .option('--failed', 'only calls that did not succeed')
      .option('-f, --follow', 'keep printing entries as they come')
      .option(...CONFIG_FLAG)
      .option('--json', `${JSON_FLAG[1]}, one line per call`)
      .action(async (options) => (await import('./audit.ts')).audit(options));
  },
});

/**
 * Returns the text if it can be used as a glob.
 * @throws InvalidArgumentError if not
 */
function glob(text: string): string {
  const problem = globProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}
