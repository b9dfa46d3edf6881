import { ENGINES } from '../../../store/database/engines/index.ts';
import { lookAtDatabase } from '../../../store/database/look-at-database.ts';
import type { Check } from './check.ts';

/** Checks that this build can work with the database of a home, or with that of `url`. Changes nothing. */
export async function checkDatabase(home: string, url: string | undefined, engines = ENGINES): Promise<Check> {
  const name = 'database';
  try {
    const place = await lookAtDatabase({ home, url }, engines);
    return { name, mark: 'ok', text: place ?? 'there is none yet; the first use makes it' };
  } catch (error) {
    const elsewhere =
      url === undefined ? 'another folder in $VIADUCT_HOME' : 'another one under "database" in the config';
    const fix = `do what is said here, or name ${elsewhere}`;
    return { name, mark: 'fail', text: (error as Error).message, fix };
  }
}
