import { type Fault, FULL } from '../store-errors.ts';

const NOT_REACHED: Fault = { says: (place) => `${place} cannot be reached: look whether it runs and the url is right` };
const LOST: Fault = { says: (place) => `The connection to ${place} was lost: try again`, isUnknown: true };
const DENIED: Fault = { says: (place) => `${place} refuses this user: check name, password and rights` };
const AGAIN: Fault = { says: (place) => `${place} was too busy with others: try again`, isBusy: true };

/** Codes of the `postgres` package, of the network, and of PostgreSQL (these by their class, where two signs do). */
const POSTGRES: Readonly<Record<string, Fault>> = {
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

/** Explains an error of PostgreSQL, of its driver, or of the network. */
export function postgresFaults(thrown: Error): Fault | undefined {
  const { code } = thrown as { code?: unknown };
  if (typeof code !== 'string') return undefined;
  const known = POSTGRES[code] ?? POSTGRES[code.slice(0, 2)];
  if (known !== undefined) return known;
  return thrown.name === 'PostgresError' ? { says: (place) => `${place} could not do what was asked` } : undefined;
}
