import { type Fault, FULL } from '../store-errors.ts';

const READ_ONLY: Fault = {
  says: (place) => `${place} cannot be written: make it and its folder writable for this user, then try again`,
  isBroken: true,
};
const BUSY: Fault = {
  says: (place) => `${place} is locked by another process for too long: try again, or end what holds it`,
  isBusy: true,
};
const CORRUPT: Fault = {
  says: (place) => `${place} is damaged or no database: move it aside, or put a copy of it back, then try again`,
  isBroken: true,
};
const CANNOT_OPEN: Fault = {
  says: (place) => `${place} cannot be opened: look at its folder and at who may use it`,
  isBroken: true,
};
const BROKEN: Fault = { says: (place) => `${place} cannot be read or written`, isBroken: true };

/** The primary part of SQLite's result codes, without extensions. */
const SQLITE: Readonly<Record<number, Fault>> = {
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

const SYSTEM: Readonly<Record<string, Fault>> = {
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

/** Returns true if another process holds the database. */
export function isSqliteBusy(thrown: unknown): boolean {
  const { errcode } = thrown as { errcode?: unknown };
  return typeof errcode === 'number' && SQLITE[errcode & 0xff] === BUSY;
}

/** Explains an error of SQLite, or of the system about its file. */
export function sqliteFaults(thrown: Error): Fault | undefined {
  const { code, errcode } = thrown as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE[errcode & 0xff] ?? BROKEN;
  if (typeof code !== 'string') return undefined;
  return code === 'ERR_SQLITE_ERROR' || code.startsWith('SQLITE_') ? BROKEN : SYSTEM[code];
}
