import type { Permissions } from './permissions.ts';

/** Who a client has proved to be. */
export interface Principal {
  /** The same for all requests of one token, or of one user of an authorization server; never shown to clients. */
  readonly id: string;
  /** For people: the name of the token, or the user. */
  readonly name: string;
  /** What its clients may see; everything where it is absent. */
  readonly access?: Permissions | undefined;
}
