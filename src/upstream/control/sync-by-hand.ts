import { GatewayError } from '../../core/errors.ts';
import type { Descriptor } from '../../core/providers/provider.ts';
import type { SyncReport } from '../../core/providers/provider-status.ts';
import type { Connection } from '../connection/connection.ts';
import { differenceOf } from '../lists/list-difference.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import type { StateWaiters } from '../status/state-waiters.ts';

export interface SyncedUpstream {
  readonly id: string;
  readonly mask: (text: string) => string;
  readonly connection: Pick<Connection, 'state' | 'want'>;
  readonly states: Pick<StateWaiters, 'until'>;
  readonly lists: Pick<UpstreamLists, 'sync' | 'trouble'>;
  /** Returns the tools that clients see now. */
  tools(): readonly Descriptor[];
  /** Quotes what the upstream wrote last to standard error; `''` if there is nothing. */
  lastWords(): string;
  /** Returns true if it is stopped for good. */
  isRetired(): boolean;
}

/**
 * Reads an upstream's lists again because its user wants that; connects it first where need be. Returns what has changed.
 * @throws GatewayError when it cannot be connected
 */
export async function syncByHand(upstream: SyncedUpstream): Promise<SyncReport> {
  const { connection, lists } = upstream;
  const before = upstream.tools();
  const { name } = connection.state;
  if (name === 'ready' || name === 'waiting') await lists.sync();
  else await connect(upstream);
  const after = upstream.tools();
  const { reason } = lists.trouble;
  const problem = reason === undefined ? {} : { problem: upstream.mask(reason) };
  return { ...differenceOf(before, after), total: after.length, ...problem };
}

async function connect(upstream: SyncedUpstream): Promise<void> {
  const { id, connection, states } = upstream;
  await states.until((state) => state.name !== 'stopping');
  if (!upstream.isRetired()) connection.want(true);
  const state = await states.until(({ name }) => name !== 'starting');
  if (state.name === 'ready') return;
  const reason = 'reason' in state ? state.reason : '';
  const sentences = [`${id} is ${state.name}: ${reason}`, upstream.lastWords()].filter((sentence) => sentence !== '');
  throw new GatewayError('UPSTREAM_NOT_CONNECTED', sentences.join('. '), { upstream: id });
}
