import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { watchConfig } from '../config/watch.ts';
import { coalesce } from '../core/coalesce.ts';
import { loadOptions, registerSecrets, type Settings } from './load-settings.ts';

/** Whatever goes over to a config that was changed. */
export interface Reloadable {
  reload(config: Config): void | Promise<void>;
}

/** Follows the config file while the gateway runs: each of `parts` in turn goes over to what it says. A file that is not valid changes nothing but the log. */
export function followConfig(
  parts: readonly Reloadable[],
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): { close(): Promise<void> } {
  const { configPath, masker, log } = settings;
  const reload = coalesce(async () => {
    try {
      const config = await loadConfig(configPath, loadOptions(env));
      registerSecrets(masker, config);
      for (const part of parts) await part.reload(config);
      log.info({ event: 'reload' }, 'the config was read again');
    } catch (error) {
      const reason = error instanceof ConfigError ? error.format() : String(error);
      log.error({ event: 'reload', reason }, 'the config is not valid; the last valid one stays in force');
    }
  });
  return watchConfig(configPath, () => void reload());
}
