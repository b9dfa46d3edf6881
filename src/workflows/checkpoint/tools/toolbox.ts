import { z } from 'zod';
import type { Identities } from '../../../projects/identity/resolve-project.ts';
import type { CallContext, CallingClient } from '../../define.ts';
import { adapterFor } from '../adapters/adapters.ts';
import type { ChangeOrigin } from '../checkpoints.ts';
import type { ClientCheckpoints } from '../limited-checkpoints.ts';
import type { OpenTasksFor } from '../open-tasks.ts';

/** The services that the tools of the workflow share. */
export interface Toolbox {
  /** The checkpoints that a client may use. */
  readonly checkpointsFor: (client: CallingClient) => ClientCheckpoints;
  readonly store: Identities;
  readonly openTasksFor: OpenTasksFor;
  /** The list of projects may have changed, and is not told of by the store. */
  readonly onProjectsChanged: () => void;
}

/** Returns whose change it is: the client counts as an IDE where its name is known as one. */
export function originOf({ client, signal }: CallContext): ChangeOrigin {
  const { ide } = adapterFor(client.name);
  return { ide: ide === 'generic' ? undefined : ide, signal };
}

/** Number of a revision. */
export const revisionArgument = z.int().min(1);
