import { type Settings, settingsOf } from '../../app/load-settings.ts';
import { type LocatedConfig, locateConfig } from '../../app/trust/locate-config.ts';
import { type ConfigNotice, noticeLine, noticeOf } from '../../app/trust/notices.ts';
import { escaped } from '../../core/escaped.ts';
import { printError } from '../print.ts';

/**
 * Finds, reads and checks the config for a command, and says which configs of the working folder are not used.
 * @throws ConfigError that says what is wrong with it, or that there is none
 */
export async function openSettings(flag: string | undefined, level?: 'error'): Promise<Settings> {
  return settingsOf(await findConfigFile(flag), process.env, level);
}

/** The same without looking at what is in it. */
export async function findConfigFile(flag: string | undefined): Promise<LocatedConfig> {
  const located = await locateConfig(flag, process.env);
  tellNotices(located.passedOver.map(noticeOf));
  return located;
}

const told = new Set<string>();

/** Says on standard error which configs are not used and what to do: once, however often a command looks for its config. */
export function tellNotices(notices: readonly ConfigNotice[]): void {
  for (const line of notices.map(noticeLine)) {
    if (!told.has(line)) printError(`viaduct: ${escaped(line)}`);
    told.add(line);
  }
}
