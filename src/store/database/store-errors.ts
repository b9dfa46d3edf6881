import { GatewayError } from '../../core/errors.ts';

/** Translates a failure of the database for the caller, and for the next attempt. */
export interface StoreFailure {
  readonly error: GatewayError;
  /** The same may work in a moment: somebody else was at it. */
  readonly isBusy: boolean;
  /** The connection is of no more use. */
  readonly isBroken: boolean;
}

interface Facts {
  readonly says: (place: string) => string;
  readonly isBusy?: boolean;
  readonly isBroken?: boolean;
  readonly isUnknown?: boolean;
}

const FULL: Facts = { says: (place) => `The disk of ${place} is full: nothing was saved. Make room and try again` };
const READ_ONLY: Facts = {
  says: (place) => `${place} cannot be written: make it and its folder writable for this user, then try again`,
  isBroken: true,
};
const BUSY: Facts = {
  says: (place) => `${place} is locked by another process for too long: try again, or end what holds it`,
  isBusy: true,
};
const CORRUPT: Facts = {
  says: (place) => `${place} is damaged or no database: move it aside, or put a copy of it back, then try again`,
  isBroken: true,
};
const CANNOT_OPEN: Facts = {
  says: (place) => `${place} cannot be opened: look at its folder and at who may use it`,
  isBroken: true,
};
const BROKEN: Facts = { says: (place) => `${place} cannot be read or written`, isBroken: true };

/** The primary part of SQLite's result codes, without extensions. */
const SQLITE: Readonly<Record<number, Facts>> = {
  3: READ_ONLY,
  5: BUSY,
  6: BUSY,
  8: READ_ONLY,
  10: BROKEN,
  11: CORRUPT,
  13: FULL,
  14: CANNOT_OPEN,
  26: CORRUPT,
};

const SYSTEM: Readonly<Record<string, Facts>> = {
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: CANNOT_OPEN,
  EISDIR: CANNOT_OPEN,
  ENOENT: CANNOT_OPEN,
  EMFILE: CANNOT_OPEN,
};

const NOT_REACHED: Facts = { says: (place) => `${place} cannot be reached: look whether it runs and the url is right` };
const LOST: Facts = { says: (place) => `The connection to ${place} was lost: try again`, isUnknown: true };
const DENIED: Facts = { says: (place) => `${place} refuses this user: check name, password and rights` };
const AGAIN: Facts = { says: (place) => `${place} was too busy with others: try again`, isBusy: true };

/** Codes of the `postgres` package, of the network, and of PostgreSQL (these by their class, where two signs do). */
const POSTGRES: Readonly<Record<string, Facts>> = {
  CONNECT_TIMEOUT: NOT_REACHED,
  ECONNREFUSED: NOT_REACHED,
  EHOSTUNREACH: NOT_REACHED,
  ENETUNREACH: NOT_REACHED,
  ENOTFOUND: NOT_REACHED,
  EAI_AGAIN: NOT_REACHED,
  ETIMEDOUT: NOT_REACHED,
  ENOENT: NOT_REACHED,
  ECONNRESET: LOST,
  EPIPE: LOST,
  CONNECTION_CLOSED: LOST,
  CONNECTION_ENDED: LOST,
  CONNECTION_DESTROYED: LOST,
  '08': LOST,
  '25': { says: (place) => `${place} is read-only: name one that can be written` },
  '28': DENIED,
  '3D': { says: (place) => `${place} has no such database: create it, or name another one` },
  '40': AGAIN,
  '42501': DENIED,
  '53': AGAIN,
  '53100': FULL,
  '55P03': AGAIN,
  '57': LOST,
  '57P03': NOT_REACHED,
};

/** `undefined` for what has nothing to do with the database. `place` names it in messages, without secrets. */
export function storeFailure(thrown: unknown, place: string): StoreFailure | undefined {
  if (!(thrown instanceof Error) || thrown instanceof GatewayError) return undefined;
  const facts = place.startsWith('PostgreSQL') ? postgresFacts(thrown) : sqliteFacts(thrown);
  if (facts === undefined) return undefined;
  const { says, isBusy = false, isBroken = false, isUnknown = false } = facts;
  const code = isBusy ? 'STORE_BUSY' : 'STORE_UNAVAILABLE';
  const detail = { effect: isUnknown ? 'unknown' : 'none', cause: thrown } as const;
  return { error: new GatewayError(code, `${says(place)} (${thrown.message})`, detail), isBusy, isBroken };
}

/** Returns the failure as a GatewayError where it is one of the database, else what was thrown. */
export function storeError(thrown: unknown, place: string): unknown {
  return storeFailure(thrown, place)?.error ?? thrown;
}

function sqliteFacts(thrown: Error): Facts | undefined {
  const { code, errcode } = thrown as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE[errcode & 0xff] ?? BROKEN;
  if (typeof code !== 'string') return undefined;
  return code === 'ERR_SQLITE_ERROR' || code.startsWith('SQLITE_') ? BROKEN : SYSTEM[code];
}

function postgresFacts(thrown: Error): Facts | undefined {
  const { code } = thrown as { code?: unknown };
  if (typeof code !== 'string') return undefined;
  const known = POSTGRES[code] ?? POSTGRES[code.slice(0, 2)];
  if (known !== undefined) return known;
  return thrown.name === 'PostgresError' ? { says: (place) => `${place} could not do what was asked` } : undefined;
}
