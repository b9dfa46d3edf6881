import path from 'node:path';
import { userHome } from '../../core/folders/user-home.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { CreateWorkflow } from '../define.ts';
import { appendLines, dailyFile } from './daily-files.ts';
import { type MetricEvent, metricLine } from './metric-event.ts';
import type { MetricsOptions } from './options.ts';
import { Retention } from './retention.ts';
import { localDay, readTimestamp } from './timestamp.ts';
import { metricsQuery, metricsRecord } from './tools.ts';

export const createMetrics: CreateWorkflow<MetricsOptions> = ({ options, env, home, log, openDatabase }) => {
  const store = openEventStore({ database: openDatabase(), home });
  const folder = options.jsonl === undefined ? undefined : withHome(options.jsonl, env);
  const { keepDays } = options;
  const retention = keepDays === undefined ? undefined : new Retention({ store, folder, keepDays, log });
  const write = folder === undefined ? undefined : journal(folder, log);
  const onRecorded = async (event: MetricEvent) => {
    await write?.(event);
    retention?.onRecorded();
  };
  const tools = [metricsRecord(store, onRecorded), metricsQuery(store)];
  return {
    tools: () => tools,
    start: () => undefined,
    async stop() {
      await Promise.all([retention?.stop(), store.close()]);
    },
  };
};

/** Writes a recorded event into the file of its day. It is in the store: that this fails is no failure of the call. */
function journal(folder: string, log: Log): (event: MetricEvent) => Promise<void> {
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
  return folder.startsWith('~') ? path.join(userHome(env), folder.slice(1)) : folder;
}
