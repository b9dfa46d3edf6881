import type { Environment } from '../../core/settings/environment.ts';
import { connectToDaemon, type RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import { daemonPaths } from '../../gateway/settings/paths.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import type { ConfigFacts } from '../../gateway/shared/config-facts.ts';
import {
  findOrStartGateway,
  introductionFrom,
  type PrivateInstead,
  type SharedRequest,
} from '../../gateway/shared/find-or-start.ts';
import { reasonForPrivate } from '../../gateway/shared/shared-mode.ts';
import { VERSION } from '../../gateway/version.ts';

/** A config as a client has found it. */
export interface FoundConfig extends Pick<SharedRequest, 'home' | 'configPath' | 'isOfFolder'> {
  readonly facts: ConfigFacts;
}

/** A config that a client was started with. */
export interface ReadConfig {
  /** Absent if the config cannot be used as it is now. */
  readonly found?: FoundConfig | undefined;
  /** Present if the config had to be read. */
  readonly settings?: VisitorSettings | undefined;
}

/**
 * Connects a client to its gateway: that of `viaduct serve` if one runs for the config, else the shared one, which is started if
 * need be. It may be called again when that gateway has ended.
 * @returns the connection, or why the client needs a gateway of its own
 * @throws ConfigChangedError if the config has to be read again; StartFailure if the gateway cannot be started
 */
export async function findGateway(
  { facts, ...config }: FoundConfig,
  env: Environment,
): Promise<RunningDaemon | PrivateInstead> {
  const { home, configPath } = config;
  const daemon = await connectToDaemon(daemonPaths(home, configPath), introductionFrom(env));
  if (daemon?.record.version === VERSION) return daemon;
  daemon?.socket.destroy();
  const reason = reasonForPrivate(facts, env);
  if (reason !== undefined) return { reason, level: 'debug' };
  const program = { command: process.execPath, args: [...process.execArgv, process.argv[1]!] };
  return findOrStartGateway({ ...config, variables: facts.variables, env, program });
}
