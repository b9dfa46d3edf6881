import type { Environment } from '../../core/settings/environment.ts';
import { connectToDaemon, type RunningDaemon } from '../serving/daemon-record.ts';
import { daemonPaths, sharedPaths } from '../settings/paths.ts';
import { VERSION } from '../version.ts';
import { keptFacts } from './config-facts.ts';
import { introductionFrom } from './find-or-start.ts';
import { madeSecret, sharedKey } from './shared-key.ts';
import { reasonForPrivate } from './shared-mode.ts';
import { differences, startContext } from './start-context.ts';

interface Place {
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly configPath: string;
}

/** Connects to the gateway that runs for a config: that of `viaduct serve`, else the shared one of clients like this. */
export async function findRunning(place: Place, env: Environment): Promise<RunningDaemon | undefined> {
  const { home, configPath } = place;
  return (await connectToDaemon(daemonPaths(home, configPath), introductionFrom(env))) ?? findShared(place, env);
}

/** Connects to the shared gateway that clients with this environment have, if it runs. */
async function findShared({ home, configPath }: Place, env: Environment): Promise<RunningDaemon | undefined> {
  const [facts, secret] = [keptFacts(home, configPath), madeSecret(home)];
  if (facts === undefined || secret === undefined || reasonForPrivate(facts, env) !== undefined) return undefined;
  // Trust is a matter of those who start a gateway: one that was found by its folder serves its user's commands as well.
  for (const isOfFolder of [false, true]) {
    const key = sharedKey(secret, { configPath, isOfFolder, variables: facts.variables }, env);
    const running = await connectToDaemon(sharedPaths(home, key), introductionFrom(env));
    if (running !== undefined && isForUs(running, env)) return running;
    running?.socket.destroy();
  }
  return undefined;
}

function isForUs({ record: { version, shared } }: RunningDaemon, env: Environment): boolean {
  return version === VERSION && shared !== undefined && differences(shared.context, startContext(env)).length === 0;
}
