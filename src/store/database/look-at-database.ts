import { ENGINES } from './engines/index.ts';
import type { DatabasePlace } from './engines/manifest.ts';
import { storeError } from './store-errors.ts';

/**
 * Looks whether this build can work with a database, and changes nothing in it.
 * @returns its place, without secrets; `undefined` if there is none yet
 * @throws GatewayError that says what is wrong with it: it cannot be reached, is damaged, or a newer build has made it
 */
export async function lookAtDatabase(place: DatabasePlace, engines = ENGINES): Promise<string | undefined> {
  const engine = engines.forPlace(place);
  const { look, faultsOf } = await engine.load();
  const shown = engine.shownPlace(place);
  try {
    return (await look(place)) ? shown : undefined;
  } catch (error) {
    throw storeError(error, shown, faultsOf);
  }
}
