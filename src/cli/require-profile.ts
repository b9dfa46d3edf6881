import type { Settings } from '../app/load-settings.ts';
import { suggest } from '../config/suggest.ts';
import { UsageError } from './call-arguments.ts';

/** @throws UsageError when the config has no profile of this name. */
export function requireProfile({ config, configPath }: Settings, name: string | undefined): void {
  if (name === undefined || Object.hasOwn(config.profiles, name)) return;
  const known = Object.keys(config.profiles);
  const meant = suggest(name, known);
  const hint = meant === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${meant}"?`;
  throw new UsageError(`there is no profile ${JSON.stringify(name)} in ${configPath} (${hint})`);
}
