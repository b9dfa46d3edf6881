import type { EventQuery, EventStore, PlacedEvent } from '../core/stores/event-store.ts';

/** The number of repositories in one statement. */
const REPOS_AT_ONCE = 1_000;

/**
 * Returns queries that together find each event of `query` once. With `mayUseRepo`, they find only events whose repository passes;
 * events without a repository are left out then. Which repositories globs match is known here only, not by databases.
 */
export async function queriesOf(
  store: EventStore,
  query: EventQuery,
  mayUseRepo: ((repo: string) => boolean) | undefined,
): Promise<EventQuery[]> {
  if (mayUseRepo === undefined) return [query];
  const repos = (await store.countBy('repo', query)).map(({ key }) => key).filter(mayUseRepo);
  const queries: EventQuery[] = [];
  for (let from = 0; from < repos.length; from += REPOS_AT_ONCE)
    queries.push({ ...query, repos: repos.slice(from, from + REPOS_AT_ONCE) });
  return queries;
}

/** Returns the newest events of all these queries together, at most `limit`, the newest first. */
export async function newestOf(
  store: EventStore,
  queries: readonly EventQuery[],
  limit: number,
): Promise<readonly PlacedEvent[]> {
  const found: PlacedEvent[] = [];
  for (const query of queries) found.push(...(await store.newest(query, limit)));
  return found.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit);
}
