import type { Command } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';
import { lookbackMs } from '../terminal/since-flag.ts';

const SINCE = '-s, --since <span>';
const FOLDER = ['[folder]', 'default: ~/.core/ai/metrics'] as const;

/** `viaduct metrics …`: what agents have recorded with metrics_record. */
export function addMetricsCommands(program: Command): void {
  const metrics = program
    .command('metrics')
    .description('count what agents have recorded, by type, repository and agent')
    .option(SINCE, 'how far to look back: 7d, 24h, 30m (default: 7d)', lookbackMs)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).showMetrics(options));
  metrics
    .command('import')
    .description("take over the events in a folder of go-ai's, a file a day; those taken over before are known")
    .argument(...FOLDER)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (folder, options) => (await commands()).importEvents(folder, options));
  metrics
    .command('export')
    .description('write the events into a folder as go-ai has them; lines that are there stay, and none comes twice')
    .argument(...FOLDER)
    .option(SINCE, 'only those of this time: 7d, 24h, 30m (default: all)', lookbackMs)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (folder, options) => (await commands()).exportEvents(folder, options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./metrics.ts');
}
