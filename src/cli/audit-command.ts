import { type Command, InvalidArgumentError, Option } from 'commander';
import { periodMs } from '../core/period.ts';
import { CONFIG_FLAG, JSON_FLAG } from './flags.ts';

/** `viaduct audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('show who has called what, and what became of it; the newest last')
    .option('-s, --since <period>', 'how far back: 30m, 24h or 7d', knownPeriod, '1h')
    .option('-t, --tool <glob>', 'only tools, prompts and uris of such names')
    .option('--session <id>', 'only this session; the beginning of its id is enough')
    .addOption(new Option('-l, --level <level>', 'only this level').choices(['info', 'security']))
    .option('--failed', 'only what did not go well')
    .option('-f, --follow', 'go on with what is stored from now on')
    .option(...CONFIG_FLAG)
    .option('--json', `${JSON_FLAG[1]}: a line a call`)
    .action(async (options) => (await import('./commands/audit.ts')).audit(options));
}

function knownPeriod(text: string): string {
  if (periodMs(text) === undefined)
    throw new InvalidArgumentError('It must be a number of minutes, hours or days: 30m, 24h or 7d.');
  return text;
}
