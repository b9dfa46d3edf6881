import { globTest } from '../../core/access/name-filter.ts';
import type { AuditEntry } from '../../core/providers/audit-entry.ts';
import type { AuditLevel } from '../../core/providers/audit-level.ts';
import type { AuditCalls, CallFilter, FoundCalls } from '../../core/stores/audit-store.ts';
import type { PlacedEvent } from '../../core/stores/event-store.ts';
import { entryIn, lineOf } from './audit-lines.ts';

export interface AuditFilter {
  /** Glob for names of tools and prompts, and for URIs. */
  readonly tool?: string | undefined;
  /** Glob for names of clients. */
  readonly client?: string | undefined;
  /** First characters of the id of the session. */
  readonly session?: string | undefined;
  readonly level?: AuditLevel | undefined;
  /** Only calls that did not succeed. */
  readonly failed?: boolean | undefined;
}

/** Maximum number of rows; if there are more, the newest are returned. */
export const MOST_ENTRIES = 200_000;
const PAGE = 10_000;
/** Names that a query takes at most. With more of them, all calls are read, and their names are matched here. */
const MOST_NAMES = 1_000;
/** A length that no name or URI in the audit exceeds. */
const MAX_TARGET_LENGTH = 4_096;

type NameTest = (name: string) => boolean;

/** The calls that a filter of `viaduct audit` lets pass. */
export class FilteredCalls {
  readonly #calls: AuditCalls;
  readonly #filter: AuditFilter;
  readonly #isTool: NameTest | undefined;
  readonly #isClient: NameTest | undefined;

  constructor(calls: AuditCalls, filter: AuditFilter) {
    this.#calls = calls;
    this.#filter = filter;
    this.#isTool = testOf(filter.tool);
    this.#isClient = testOf(filter.client);
  }

  /** Returns the lines of the matching calls since a time, newest last. */
  async since(since: number): Promise<readonly string[]> {
    const { session, level, failed } = this.#filter;
    const tools = await this.#namesOf('tool', since);
    const clients = await this.#namesOf('client', since);
    if (tools?.length === 0 || clients?.length === 0) return [];
    return this.#read({ since, session, level, failed, tools: few(tools), clients: few(clients) });
  }

  /** Returns the lines of those of some calls that match. */
  among(events: readonly PlacedEvent[]): readonly string[] {
    return events.map(lineOf).filter((line) => this.#matches(entryIn(line)));
  }

  #matches(entry: AuditEntry): boolean {
    const { session, level, failed } = this.#filter;
    return (
      this.#isNamed(entry) &&
      (session === undefined || entry.session.startsWith(session)) &&
      (level === undefined || entry.level === level) &&
      (failed !== true || entry.outcome !== 'ok')
    );
  }

  async #read(filter: CallFilter): Promise<readonly string[]> {
    const isExact =
      (this.#isTool === undefined || filter.tools !== undefined) &&
      (this.#isClient === undefined || filter.clients !== undefined);
    const found: string[] = [];
    let page: FoundCalls | undefined;
    do {
      page = await this.#calls.find(filter, PAGE, page?.last);
      for (const line of page.lines) if (isExact || this.#isNamed(entryIn(line))) found.push(line);
    } while (page.lines.length === PAGE && found.length < MOST_ENTRIES);
    return found.slice(0, MOST_ENTRIES).reverse();
  }

  async #namesOf(column: 'tool' | 'client', since: number): Promise<readonly string[] | undefined> {
    const test = column === 'tool' ? this.#isTool : this.#isClient;
    return test && (await this.#calls.names(column, since)).filter(test);
  }

  #isNamed({ tool, client = '' }: AuditEntry): boolean {
    return this.#isTool?.(tool) !== false && this.#isClient?.(client) !== false;
  }
}

function testOf(glob: string | undefined): NameTest | undefined {
  return glob === undefined || glob === '*' ? undefined : globTest([glob], MAX_TARGET_LENGTH, false);
}

const few = (names: readonly string[] | undefined) =>
  names !== undefined && names.length <= MOST_NAMES ? names : undefined;
