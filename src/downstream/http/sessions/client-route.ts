import type { Principal } from '../../../core/access/principal.ts';

/** How a request came in: who it is of, and by the path of which profile. */
export interface ClientRoute {
  readonly principal: Principal;
  readonly profile: string;
}
