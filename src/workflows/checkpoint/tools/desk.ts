import type { CheckpointStore } from '../../../core/checkpoint-store.ts';
import type { CallContext } from '../../define.ts';
import { adapterFor } from '../adapters/adapters.ts';
import type { Checkpoints } from '../checkpoints.ts';

/** What the tools of the workflow work with. */
export interface Desk {
  readonly checkpoints: Checkpoints;
  readonly store: CheckpointStore;
  /** The list of projects may have changed, and is not told of by the store. */
  readonly onProjectsChanged: () => void;
}

/** The client's name among IDEs; nothing for those that nobody knows. */
export function ideOf({ client }: CallContext): string | undefined {
  const { ide } = adapterFor(client.name);
  return ide === 'generic' ? undefined : ide;
}
