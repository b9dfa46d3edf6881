import type { SyncReport } from '../../core/providers/provider-status.ts';
import type { Offer } from '../offer/offer.ts';
import type { Upstream } from '../upstream.ts';
import type { Members } from './members.ts';
import { syncQuietly } from './upstream-group.ts';

/** A pool as far as its lists are read. */
export interface SyncedPool {
  readonly members: Pick<Members, 'all' | 'open' | 'common' | 'isStopped'>;
  readonly offer: Pick<Offer, 'leader'>;
  /** Returns whether not all clients share one process. */
  isSplit(): boolean;
}

/**
 * Reads the lists of an upstream with several processes: those of one that is ready. Others that are in trouble are given a
 * chance too.
 * @throws GatewayError when no process can be connected, or its lists cannot be read
 */
export async function syncPool(pool: SyncedPool): Promise<SyncReport> {
  const living = pool.members.all();
  const chosen = pool.offer.leader(living) ?? living.find((upstream) => upstream.isLive());
  const troubled = living.filter((upstream) => upstream !== chosen && upstream.shown.state.name !== 'ready');
  const [report] = await Promise.all([syncOne(pool, chosen), ...troubled.map(syncQuietly)]);
  return report;
}

/**
 * Synchronizes one upstream. If its client has left or its process fails, that says nothing about the upstream, so a
 * process that belongs to no client is asked.
 */
async function syncOne(pool: SyncedPool, chosen: Upstream | undefined): Promise<SyncReport> {
  const { members, offer } = pool;
  if (chosen === undefined) return members.open().sync();
  const isThere = () => members.all().includes(chosen);
  try {
    const report = await chosen.sync();
    if (isThere()) return report;
  } catch (error) {
    const isOnlyOne = !pool.isSplit() || (members.common === chosen && isThere());
    if (isOnlyOne || members.isStopped) throw error;
  }
  return syncOne(pool, offer.leader(members.all().filter((upstream) => upstream !== chosen)));
}
