import { homedir } from 'node:os';
import path from 'node:path';
import { openEventStore } from '../../store/events/open-event-store.ts';
import type { CreateWorkflow, WorkflowContext } from '../define.ts';
import { appendLines, dailyFile } from './daily-files.ts';
import { type MetricEvent, metricLine } from './metric-event.ts';
import type { MetricsOptions } from './options.ts';
import { localDay, readTimestamp } from './timestamp.ts';
import { metricsQuery, metricsRecord } from './tools.ts';

export const createMetrics: CreateWorkflow<MetricsOptions> = (context) => {
  const store = openEventStore({ database: context.openDatabase() });
  const tools = [metricsRecord(store, journal(context)), metricsQuery(store)];
  return { tools: () => tools, start: () => undefined, stop: () => store.close() };
};

/** What else is done with a recorded event. It is in the store: that its file cannot be written is no failure of the call. */
function journal({ options, env, log }: WorkflowContext<MetricsOptions>): (event: MetricEvent) => Promise<void> {
  if (options.jsonl === undefined) return async () => undefined;
  const folder = withHome(options.jsonl, env);
  return async (event) => {
    const file = dailyFile(folder, localDay(readTimestamp(event.timestamp)!));
    try {
      await appendLines(file, [metricLine(event)]);
    } catch (error) {
      log.warn({ error, file }, 'an event was recorded, and could not be written into the file of its day');
    }
  };
}

function withHome(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  return folder.startsWith('~') ? path.join(env.HOME || homedir(), folder.slice(1)) : folder;
}
