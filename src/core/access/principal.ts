import type { Permissions } from './permissions.ts';

/** The identity that a client has proved. */
export interface Principal {
  /** The same for all requests of one token, or of one user of an authorization server; never shown to clients. */
  readonly id: string;
  /** For people: the name of the token, or the user. */
  readonly name: string;
  /** The permissions of its clients; everything if absent. */
  readonly access?: Permissions | undefined;
}
