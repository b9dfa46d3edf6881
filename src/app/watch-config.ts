import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load.ts';
import { watchConfig } from '../config/watch.ts';
import { coalesce } from '../core/coalesce.ts';
import type { Gateway } from './gateway.ts';
import { loadOptions, registerSecrets, type Settings } from './load-settings.ts';

/** Follows the config file while the gateway runs. A file that is not valid changes nothing but the log. */
export function followConfig(
  gateway: Gateway,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): { close(): Promise<void> } {
  const { configPath, masker, log } = settings;
  const reload = coalesce(async () => {
    try {
      const config = await loadConfig(configPath, loadOptions(env));
      registerSecrets(masker, config);
      await gateway.reload(config);
      log.info({ event: 'reload' }, 'the config was read again');
    } catch (error) {
      const reason = error instanceof ConfigError ? error.format() : String(error);
      log.error({ event: 'reload', reason }, 'the config is not valid; the last valid one stays in force');
    }
  });
  return watchConfig(configPath, () => void reload());
}
