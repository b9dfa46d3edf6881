import type { EventPlace, EventStore } from '../../core/stores/event-store.ts';
import { withFileLock } from '../../store/file-lock.ts';
import { readEvents } from './daily-events.ts';
import { appendLines, dailyFile } from './daily-files.ts';
import { fromStored, keyOf, type MetricEvent, metricLine } from './metric-event.ts';
import { localDay } from './timestamp.ts';

const PAGE = 512;
/** The number of characters of lines written at once, at least. */
const WRITTEN_AT_ONCE = 256 * 1024;

export interface ExportReport {
  readonly folder: string;
  exported: number;
  /** Events whose lines were there already. */
  known: number;
  /** Files that got lines. */
  files: number;
}

/** The time range of the events, in milliseconds since 1970: from `since`, and before `until`. */
interface ExportRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Writes what was recorded into a file a day, as go-ai has them. Lines that are there stay as they are,
 * also those that others add meanwhile, and none is written twice: what was interrupted can be repeated, and of several
 * that do this at the same time each leaves to another what that one is at.
 * @throws the system's error, or the store's
 */
export async function exportMetrics(store: EventStore, folder: string, range: ExportRange = {}): Promise<ExportReport> {
  const report: ExportReport = { folder, exported: 0, known: 0, files: 0 };
  const events = storedEvents(store, range);
  for (let next = await events.next(); next.done !== true; ) {
    const { at } = next.value;
    const day = localDay(at);
    const write = async () => {
      const file = await DayFile.open({ folder, day, at, report });
      for (; next.done !== true && localDay(next.value.at) === day; next = await events.next()) {
        await file.add(next.value.event);
      }
      await file.flush();
    };
    await withFileLock(`${dailyFile(folder, day)}.lock`, write, range.signal);
  }
  return report;
}

async function* storedEvents(store: EventStore, { since, until, signal }: ExportRange) {
  let after: EventPlace | undefined;
  for (;;) {
    const page = await store.oldest({ kind: 'metric', since, until }, PAGE, after);
    for (const stored of page) {
      // For each: a day's files may be large.
      signal?.throwIfAborted();
      yield { at: stored.at, event: fromStored(stored) };
    }
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

interface DayFileOptions {
  readonly folder: string;
  readonly day: string;
  /** A moment of that day. */
  readonly at: number;
  readonly report: ExportReport;
}

/** A day's file while its events are written. */
class DayFile {
  readonly #file: string;
  readonly #known: ReadonlySet<string>;
  readonly #report: ExportReport;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWritten = false;

  private constructor({ folder, day, report }: DayFileOptions, known: ReadonlySet<string>) {
    this.#file = dailyFile(folder, day);
    this.#known = known;
    this.#report = report;
  }

  /**
   * The program that wrote a line may have run in another time zone: from UTC-12 to UTC+14, local dates are up to two days apart.
   */
  static async open(options: DayFileOptions): Promise<DayFile> {
    const { folder, at } = options;
    const known = new Set<string>();
    for (const days of [-2, -1, 0, 1, 2]) await addKeys(dailyFile(folder, localDay(at, days)), known);
    return new DayFile(options, known);
  }

  async add(event: MetricEvent): Promise<void> {
    if (this.#known.has(keyOf(event))) {
      this.#report.known++;
      return;
    }
    const line = metricLine(event);
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= WRITTEN_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await appendLines(this.#file, this.#waiting);
    this.#report.exported += this.#waiting.length;
    if (!this.#isWritten) this.#report.files++;
    this.#isWritten = true;
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

async function addKeys(file: string, keys: Set<string>): Promise<void> {
  try {
    for await (const { event } of readEvents(file)) if (event !== undefined) keys.add(keyOf(event));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
