import { homeFolder } from '../../gateway/settings/paths.ts';
import { keptFacts } from '../../gateway/shared/config-facts.ts';
import { locateConfig } from '../../gateway/trust/locate-config.ts';
import { noticeOf } from '../../gateway/trust/notices.ts';
import { tellNotices } from '../terminal/tell-notices.ts';
import type { FoundConfig, ReadConfig } from './find-gateway.ts';

/**
 * Finds out what a client has to know of its config. The code that reads configs is loaded only if it was changed since anybody
 * has read it.
 * @throws ConfigError if it cannot be used and no gateway runs for it
 */
export async function readConfig(flag: string | undefined): Promise<ReadConfig> {
  const known = await knownConfig(flag);
  return known === undefined ? (await import('./read-config-anew.ts')).readConfigAnew(flag) : { found: known };
}

async function knownConfig(flag: string | undefined): Promise<FoundConfig | undefined> {
  try {
    const { file, scope, passedOver } = await locateConfig(flag, process.env);
    const home = homeFolder(process.env);
    const facts = keptFacts(home, file.path);
    if (facts?.sha256 !== file.sha256) return undefined;
    tellNotices(passedOver.map(noticeOf));
    return { home, configPath: file.path, isOfFolder: scope === 'folder', facts };
  } catch {
    return undefined; // the process that reads it reports what is wrong
  }
}
