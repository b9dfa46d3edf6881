import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { EventStore } from '../../core/stores/event-store.ts';
import { readEvents } from '../../workflows/metrics/daily-events.ts';
import { type MetricEvent, toStored } from '../../workflows/metrics/metric-event.ts';

const DAILY_FILE = /^\d{4}-\d\d-\d\d\.jsonl$/;
/** The number of events in one transaction, so that others can use the database in between. */
const BATCH = 512;
/** The number of malformed lines that are listed. */
const NAMED = 10;

export interface ImportReport {
  readonly folder: string;
  files: number;
  imported: number;
  /** Events that were there already. */
  known: number;
  malformed: number;
  /** The first of the malformed lines, as `file:line`. */
  readonly malformedLines: string[];
}

/** Imports the events in a folder of go-ai; events imported before are skipped. @throws errors of the system or the store */
export async function importMetrics(store: EventStore, folder: string): Promise<ImportReport> {
  const report: ImportReport = { folder, files: 0, imported: 0, known: 0, malformed: 0, malformedLines: [] };
  for (const name of await dailyFilesIn(folder)) {
    await importFile(store, path.join(folder, name), report);
    report.files++;
  }
  return report;
}

/** Returns the files of events; none if there is no such folder. */
async function dailyFilesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => DAILY_FILE.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function importFile(store: EventStore, file: string, report: ImportReport): Promise<void> {
  let batch: MetricEvent[] = [];
  const addBatch = async () => {
    const added = await store.add(batch.map(toStored));
    report.imported += added;
    report.known += batch.length - added;
    batch = [];
  };
  for await (const { number, event } of readEvents(file)) {
    if (event === undefined) {
      report.malformed++;
      if (report.malformedLines.length < NAMED) report.malformedLines.push(`${path.basename(file)}:${number}`);
      continue;
    }
    batch.push(event);
    if (batch.length === BATCH) await addBatch();
  }
  await addBatch();
}
