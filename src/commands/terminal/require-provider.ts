import { nameHint } from '../../core/text/name-hint.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { UsageError } from './usage-error.ts';

/**
 * Checks that the config has an upstream or workflow of this name. If the config cannot be read, there is nothing
 * that the name could be compared with.
 */
export function requireProvider({ config, configPath }: VisitorSettings, name: string | undefined): void {
  if (config === undefined || name === undefined) return;
  const entries = [...config.upstreams, ...config.disabled, ...config.broken].map(({ key }) => key);
  const known = [...entries, ...config.enabledWorkflows];
  if (known.includes(name)) return;
  throw new UsageError(`there is no upstream ${JSON.stringify(name)} in ${configPath}. ${nameHint(name, known)}`);
}
