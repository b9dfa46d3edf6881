import path from 'node:path';

/** Returns the file of a SQLite database in the gateway's own folder. */
export function databaseFile(home: string): string {
  return path.join(home, 'viaduct.db');
}
