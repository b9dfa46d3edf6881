import type { Identity } from '../ground/ground.ts';
import type { Place } from '../place.ts';
import type { Intent } from './rules.ts';

/** A folder that nothing is looked up in. */
export interface ClosedFolder {
  readonly identity: Identity;
  /** The name that messages use. */
  readonly what: string;
}

/** Keeps tools from places that would let them do more than read and change files. */
export interface Guard {
  /** Folders that paths do not lead into. */
  closedFolders(): Promise<readonly ClosedFolder[]>;
  /** @throws GatewayError if this must not be done at the place. */
  check(place: Place, intent: Intent): Promise<void>;
}

/** The guard for those who may change all these files anyway. */
export const UNPROTECTED: Guard = { closedFolders: async () => [], check: async () => undefined };
