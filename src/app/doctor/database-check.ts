import { lookAtDatabase } from '../../store/database/look-at-database.ts';
import type { Check } from './check.ts';

/** Looks whether this build can work with the database of a home; with `url`, the database is a PostgreSQL server instead. */
export async function checkDatabase(home: string, url: string | undefined): Promise<Check> {
  const name = 'database';
  if (url !== undefined)
    return { name, mark: 'skipped', text: 'PostgreSQL: a gateway looks at it when it is first used' };
  try {
    const file = await lookAtDatabase(home);
    return { name, mark: 'ok', text: file ?? 'there is none yet; the first use makes it' };
  } catch (error) {
    const fix = 'do what is said here, or name another folder in $VIADUCT_HOME';
    return { name, mark: 'fail', text: (error as Error).message, fix };
  }
}
