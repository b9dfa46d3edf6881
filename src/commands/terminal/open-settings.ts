import { ConfigError } from '../../config/findings/config-error.ts';
import { type Settings, settingsOf } from '../../gateway/settings/load-settings.ts';
import { daemonOnly, type FoundSettings } from '../../gateway/settings/visitor-settings.ts';
import { type LocatedConfig, locateConfig } from '../../gateway/trust/locate-config.ts';
import { noticeOf } from '../../gateway/trust/notices.ts';
import { printError, writeError } from './print.ts';
import { tellNotices } from './tell-notices.ts';

/**
 * Finds, reads and checks the config for a command, and says which configs of the working folder are not used.
 * @throws ConfigError that says what is wrong with it, or that there is none
 */
export async function openSettings(flag: string | undefined, level?: 'error'): Promise<Settings> {
  return settingsOf(await findConfigFile(flag), process.env, level);
}

/**
 * The same for a command that can work with the gateway that runs. If the config cannot be used and a gateway runs for it, the
 * command says what is wrong and goes on.
 * @throws ConfigError if none runs
 */
export async function openVisitorSettings(flag: string | undefined, level?: 'error'): Promise<FoundSettings> {
  try {
    return await openSettings(flag, level);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const settings = await daemonOnly(error, { flag, env: process.env, level });
    if (settings === undefined) throw error;
    writeError(`${error.format()}\n\n`);
    printError(
      'viaduct: the config cannot be used in its present form; the running gateway continues with the previous one',
    );
    return settings;
  }
}

/** The same without looking at what is in it. */
export async function findConfigFile(flag: string | undefined): Promise<LocatedConfig> {
  const located = await locateConfig(flag, process.env);
  tellNotices(located.passedOver.map(noticeOf));
  return located;
}
