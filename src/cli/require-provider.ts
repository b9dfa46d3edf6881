import type { Settings } from '../app/load-settings.ts';
import { nameHint } from '../core/text/name-hint.ts';
import { UsageError } from './call-arguments.ts';

/** @throws UsageError when the config has no upstream or workflow of this name */
export function requireProvider({ config, configPath }: Settings, name: string | undefined): void {
  if (name === undefined) return;
  const entries = [...config.upstreams, ...config.disabled].map(({ key }) => key);
  const known = [...entries, ...config.enabledWorkflows];
  if (known.includes(name)) return;
  throw new UsageError(`there is no upstream ${JSON.stringify(name)} in ${configPath}. ${nameHint(name, known)}`);
}
