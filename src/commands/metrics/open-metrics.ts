import type { EventStore } from '../../core/stores/event-store.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { openDatabase } from '../../store/database/database.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import { type ExportReport, exportMetrics } from '../../workflows/metrics/export-metrics.ts';
import { type MetricsSummary, summarise } from '../../workflows/metrics/summary.ts';

export interface OpenMetrics {
  readonly store: EventStore;
  /** Returns the events recorded since a time, in milliseconds since 1970. */
  summarise(since: number): Promise<MetricsSummary>;
  /** Writes what was recorded from a time on, or all, into a folder as go-ai has it. */
  exportTo(folder: string, since?: number): Promise<ExportReport>;
  close(): Promise<void>;
}

/** Opens the events in the config's database, whether or not a gateway runs or the workflow is on. */
export function openMetrics({ config, home }: Settings): OpenMetrics {
  const database = openDatabase({ home, url: config.database });
  const store = openEventStore({ database, home });
  return {
    store,
    summarise: (since) => summarise(store, since),
    exportTo: (folder, since) => exportMetrics(store, folder, { since }),
    async close() {
      await store.close();
      await database.close();
    },
  };
}
