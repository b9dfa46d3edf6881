import type { Environment } from '../../core/settings/environment.ts';
import type { ConfigFacts } from './config-facts.ts';

/** The variable that overrides the mode of the config: `shared` or `private`. */
export const MODE_VARIABLE = 'VIADUCT_GATEWAY';

/**
 * Says why a client of this config gets a gateway of its own; `undefined` if it shares one.
 * @throws Error if the variable has another value
 */
export function reasonForPrivate(
  { mode, inheritsEnv }: Omit<ConfigFacts, 'sha256'>,
  env: Environment,
): string | undefined {
  const wanted = env[MODE_VARIABLE] || undefined;
  if (wanted !== undefined && wanted !== 'shared' && wanted !== 'private')
    throw new Error(`${MODE_VARIABLE} is ${JSON.stringify(wanted)}: it must be shared or private`);
  if (wanted === 'private') return `${MODE_VARIABLE} is private`;
  if (wanted === undefined && mode === 'private') return 'the config says so';
  if (inheritsEnv === undefined) return undefined;
  return `${inheritsEnv} has inheritEnv: true, so its process gets all variables of one client`;
}
