import { suggest } from '../../config/findings/suggest.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { UsageError } from './usage-error.ts';

/**
 * Checks that the config has a profile of this name. If the config cannot be read, the running gateway reports it.
 * @throws UsageError if there is no such profile
 */
export function requireProfile(
  { config, configPath }: Pick<VisitorSettings, 'config' | 'configPath'>,
  name: string | undefined,
): void {
  if (config !== undefined) requireProfileOf(Object.keys(config.profiles), configPath, name);
}

/**
 * Checks that a profile is one of those that a config has.
 * @throws UsageError if it is not
 */
export function requireProfileOf(known: readonly string[], configPath: string, name: string | undefined): void {
  if (name === undefined || known.includes(name)) return;
  const meant = suggest(name, known);
  const hint = meant === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${meant}"?`;
  throw new UsageError(`there is no profile ${JSON.stringify(name)} in ${configPath} (${hint})`);
}
