import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { lookbackMs } from '../terminal/flags/since-flag.ts';

const SINCE = '-s, --since <span>';
const FOLDER = ['[folder]', 'default: ~/.core/ai/metrics'] as const;

export const metricsCommand = defineCommand({
  name: 'metrics',
  description: 'count the events that agents recorded, by type, repository and agent',
  configure: (command) => {
    command
      .option(SINCE, 'how far to look back: 7d, 24h, 30m (default: 7d)', lookbackMs)
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./metrics.ts')).showMetrics(options));
    command
      .command('import')
      .description(
        'import events from a folder of go-ai, which has one file per day; events imported before are skipped',
      )
      .argument(...FOLDER)
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (folder, options) => (await import('./metrics.ts')).importEvents(folder, options));
    command
      .command('export')
      .description("write events to a folder in go-ai's format; existing lines stay, and no event is written twice")
      .argument(...FOLDER)
      .option(SINCE, 'only events of this period: 7d, 24h, 30m (default: all)', lookbackMs)
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (folder, options) => (await import('./metrics.ts')).exportEvents(folder, options));
  },
});
