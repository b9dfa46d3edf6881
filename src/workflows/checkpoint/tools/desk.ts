import type { CallContext, CallingClient } from '../../define.ts';
import { adapterFor } from '../adapters/adapters.ts';
import type { Identities } from '../identity/resolve-project.ts';
import type { ClientCheckpoints } from '../limited-checkpoints.ts';

/** What the tools of the workflow work with. */
export interface Desk {
  /** The checkpoints that a client may use. */
  readonly checkpointsFor: (client: CallingClient) => ClientCheckpoints;
  readonly store: Identities;
  /** The list of projects may have changed, and is not told of by the store. */
  readonly onProjectsChanged: () => void;
}

/** The client's name among IDEs; nothing for those that nobody knows. */
export function ideOf({ client }: CallContext): string | undefined {
  const { ide } = adapterFor(client.name);
  return ide === 'generic' ? undefined : ide;
}
