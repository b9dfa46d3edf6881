import type { Principal } from '../../../core/access/principal.ts';

/** The identity that a request has proved. */
export interface Credential {
  readonly principal: Principal;
  /** The time at which the proof expires, in milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAt: number;
}

/** The credential if no authentication is required. */
export const ANYBODY: Credential = { principal: { id: '', name: '' }, expiresAt: Number.POSITIVE_INFINITY };
