import type { Principal } from '../../../core/access/principal.ts';

/** The client of a request and the profile whose path it used. */
export interface ClientRoute {
  readonly principal: Principal;
  readonly profile: string;
}
