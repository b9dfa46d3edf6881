import type { Descriptor, EntryKind } from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { Log } from '../../telemetry/log.ts';
import type { SkippedEntry } from './entries/entry-reader.ts';
import { logFirst } from './entries/log-first.ts';
import { SuspiciousTools } from './entries/suspicious-tools.ts';
import { NO_ENTRIES, type ReadList } from './read-list.ts';
import { FaultySchemas } from './schemas/faulty-schemas.ts';

/** The faults of an upstream's lists as they were read last. New ones are logged. */
export class ListFindings {
  readonly #log: Log;
  readonly #lists = new Map<EntryKind, ReadList>();
  readonly #suspicious: SuspiciousTools;
  readonly #faulty: FaultySchemas;

  constructor(log: Log) {
    this.#log = log;
    this.#suspicious = new SuspiciousTools(log);
    this.#faulty = new FaultySchemas(log);
  }

  /** The entries that cannot be offered. */
  get skipped(): readonly SkippedEntry[] {
    return [...this.#lists.values()].flatMap((list) => list.skipped);
  }

  /** The tools that the config's globs deny. */
  get denied(): readonly Descriptor[] {
    return this.#toolList.filtered;
  }

  /** Remarks on lists that were read although something was wrong with them. */
  get remarks(): readonly string[] {
    return [...this.#lists.values()].flatMap(({ remark }) => (remark === undefined ? [] : [remark]));
  }

  /** The names of tools with invisible characters in what clients send back. */
  get suspicious(): readonly string[] {
    return this.#suspicious.names;
  }

  /** The places where schemas of the tools that were read are not valid. */
  get schemaFaults(): UpstreamStatus['schemaFaults'] {
    return this.#faulty.faults;
  }

  /** Takes a list that was read just now. */
  take(kind: EntryKind, list: ReadList): void {
    this.#logSkipped(kind, list.skipped);
    this.#lists.set(kind, list);
    if (kind === 'tool') this.noteTools(list.entries);
  }

  /** Takes the tools that are known from an earlier run. */
  noteTools(tools: readonly Descriptor[]): void {
    this.#suspicious.note(tools);
    this.#faulty.note(tools);
  }

  /** Sets the tools that are denied now. */
  setDenied(tools: readonly Descriptor[]): void {
    this.#lists.set('tool', { ...this.#toolList, filtered: tools });
  }

  get #toolList(): ReadList {
    return this.#lists.get('tool') ?? NO_ENTRIES;
  }

  /** Logs what was not skipped when the list was read before. */
  #logSkipped(kind: EntryKind, skipped: readonly SkippedEntry[]): void {
    const before = new Set(this.#lists.get(kind)?.skipped.map(wordsOf));
    logFirst(
      skipped.filter((entry) => !before.has(wordsOf(entry))),
      ({ name, reason }) =>
        this.#log.warn({ event: 'entry-skipped', kind, name, reason }, `a ${kind} cannot be offered`),
      (more) => this.#log.warn({ event: 'entry-skipped', kind, more }, `more entries of this list cannot be offered`),
    );
  }
}

const wordsOf = ({ name, reason }: SkippedEntry): string => JSON.stringify([name, reason]);
