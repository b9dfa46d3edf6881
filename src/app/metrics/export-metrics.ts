import type { EventPlace, EventStore } from '../../core/event-store.ts';
import { appendEvents, dailyFile } from '../../workflows/metrics/daily-files.ts';
import { fromStored, keyOf, type MetricEvent, metricLine } from '../../workflows/metrics/metric-event.ts';
import { localDay } from '../../workflows/metrics/timestamp.ts';
import { readEvents } from './daily-events.ts';

const PAGE = 512;
/** What is written at once. */
const WRITTEN_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;

export interface ExportReport {
  readonly folder: string;
  exported: number;
  /** Events whose lines were there already. */
  known: number;
  /** Files that got lines. */
  files: number;
}

/**
 * Writes what was recorded from a time on into a file a day, as go-ai has them. Lines that are there stay as they are,
 * also those that others add meanwhile, and none is written twice: what was interrupted can be repeated.
 * @throws the system's error, or the store's
 */
export async function exportMetrics(store: EventStore, folder: string, since?: number): Promise<ExportReport> {
  const report: ExportReport = { folder, exported: 0, known: 0, files: 0 };
  let file: OpenDay | undefined;
  for await (const { at, event } of storedEvents(store, since)) {
    const day = localDay(at);
    if (file?.day !== day) {
      await file?.end(report);
      file = await OpenDay.open(folder, day, at);
    }
    await file.add(event);
  }
  await file?.end(report);
  return report;
}

async function* storedEvents(store: EventStore, since: number | undefined) {
  let after: EventPlace | undefined;
  for (;;) {
    const page = await store.oldest({ kind: 'metric', since }, PAGE, after);
    for (const stored of page) yield { at: stored.at, event: fromStored(stored) };
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** A day's file while its events are written. */
class OpenDay {
  readonly day: string;
  readonly #file: string;
  readonly #known: ReadonlySet<string>;
  #waiting: MetricEvent[] = [];
  #waitingBytes = 0;
  #exported = 0;
  #left = 0;

  private constructor(file: string, day: string, known: ReadonlySet<string>) {
    this.#file = file;
    this.day = day;
    this.#known = known;
  }

  /** Whoever wrote a line may have been in another time zone: it can be in the file of a day next to this one. */
  static async open(folder: string, day: string, at: number): Promise<OpenDay> {
    const days = new Set([at - DAY_MS, at, at + DAY_MS].map(localDay));
    const known = new Set<string>();
    for (const near of days) await addKeys(dailyFile(folder, near), known);
    return new OpenDay(dailyFile(folder, day), day, known);
  }

  async add(event: MetricEvent): Promise<void> {
    if (this.#known.has(keyOf(event))) {
      this.#left++;
      return;
    }
    this.#waiting.push(event);
    this.#waitingBytes += metricLine(event).length;
    if (this.#waitingBytes >= WRITTEN_BYTES) await this.#write();
  }

  async end(report: ExportReport): Promise<void> {
    await this.#write();
    report.exported += this.#exported;
    report.known += this.#left;
    if (this.#exported > 0) report.files++;
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await appendEvents(this.#file, this.#waiting);
    this.#exported += this.#waiting.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

async function addKeys(file: string, keys: Set<string>): Promise<void> {
  try {
    for await (const { event } of readEvents(file)) if (event !== undefined) keys.add(keyOf(event));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
