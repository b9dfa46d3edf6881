import { GatewayError } from '../../core/errors.ts';
import type { StoredBundle } from '../../core/stores/checkpoint-store.ts';
import { type BundleChange, diffInSlices } from './bundle/diff.ts';

export interface RevisionPair {
  /** The one before `to`, if missing. */
  readonly from?: number | undefined;
  /** The newest, if missing. */
  readonly to?: number | undefined;
}

export interface RevisionDiff {
  readonly from: number;
  readonly to: number;
  readonly changes: BundleChange[];
}

/**
 * Returns the changes between two revisions; before the first one there was nothing.
 * @throws GatewayError when there is no such revision any more.
 */
export async function diffRevisions(
  load: (revision?: number) => Promise<StoredBundle | undefined>,
  projectId: string,
  pair: RevisionPair,
): Promise<RevisionDiff> {
  const revisionOf = async (revision?: number) => {
    const stored = await load(revision);
    if (stored !== undefined) return stored;
    const what = revision === undefined ? 'no checkpoints' : `no revision ${revision} (see list_checkpoints)`;
    throw new GatewayError('INVALID_PARAMS', `The project ${projectId} has ${what}`, { effect: 'none' });
  };
  const newer = await revisionOf(pair.to);
  const from = pair.from ?? newer.revision - 1;
  const older = from === 0 ? undefined : await revisionOf(from);
  return { from, to: newer.revision, changes: [...(await diffInSlices(older?.bundle, newer.bundle))] };
}
