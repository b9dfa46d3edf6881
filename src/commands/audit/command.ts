import { type Command, InvalidArgumentError, Option } from 'commander';
import { globProblem } from '../../core/glob/parse-glob.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';
import { lookbackMs } from '../terminal/since-flag.ts';

/** `viaduct audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('show who has called what, and what became of it; the newest last')
    .option('-s, --since <span>', 'how far to look back: 7d, 24h, 30m (default: 1h)', lookbackMs)
    .option('-t, --tool <glob>', 'only tools, prompts and uris of such names', glob)
    .option('--session <id>', 'only this session; the beginning of its id is enough')
    .addOption(new Option('-l, --level <level>', 'only this level').choices(['info', 'security']))
    .option('--failed', 'only what did not go well')
    .option('-f, --follow', 'go on with what is stored from now on')
    .option(...CONFIG_FLAG)
    .option('--json', `${JSON_FLAG[1]}: a line a call`)
    .action(async (options) => (await import('./audit.ts')).audit(options));
}

/** @throws InvalidArgumentError where the text cannot be used as a glob */
function glob(text: string): string {
  const problem = globProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}
