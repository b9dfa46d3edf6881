import { GatewayError } from '../../core/errors.ts';

/** Translates a failure of the database for the caller, and for the next attempt. */
export interface StoreFailure {
  readonly error: GatewayError;
  /** A retry may succeed soon: another process used the data. */
  readonly isBusy: boolean;
  /** The connection is of no more use. */
  readonly isBroken: boolean;
}

/** The meaning of an error of a database. */
export interface Fault {
  readonly says: (place: string) => string;
  readonly isBusy?: boolean;
  readonly isBroken?: boolean;
  /** It is unknown whether the work was done. */
  readonly isUnknown?: boolean;
}

/** Explains an error of a database engine; `undefined` for what has nothing to do with the database. */
export type FaultsOf = (thrown: Error) => Fault | undefined;

/** The fault of a full disk, which every engine can have. */
export const FULL: Fault = {
  says: (place) => `The disk of ${place} is full: nothing was saved. Make room and try again`,
};

/** `undefined` for what has nothing to do with the database. `place` names it in messages, without secrets. */
export function storeFailure(thrown: unknown, place: string, faultsOf: FaultsOf): StoreFailure | undefined {
  if (!(thrown instanceof Error) || thrown instanceof GatewayError) return undefined;
  const fault = faultsOf(thrown);
  if (fault === undefined) return undefined;
  const { says, isBusy = false, isBroken = false, isUnknown = false } = fault;
  const code = isBusy ? 'STORE_BUSY' : 'STORE_UNAVAILABLE';
  const detail = { effect: isUnknown ? 'unknown' : 'none', cause: thrown } as const;
  return { error: new GatewayError(code, `${says(place)} (${thrown.message})`, detail), isBusy, isBroken };
}

/** Returns the failure as a GatewayError where it is one of the database, else what was thrown. */
export function storeError(thrown: unknown, place: string, faultsOf: FaultsOf): unknown {
  return storeFailure(thrown, place, faultsOf)?.error ?? thrown;
}
