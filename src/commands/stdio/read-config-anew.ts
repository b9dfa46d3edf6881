import { factsOf, keepFacts } from '../../gateway/shared/config-facts.ts';
import { openVisitorSettings } from '../terminal/open-settings.ts';
import type { ReadConfig } from './find-gateway.ts';

/**
 * Reads a config, and keeps for later clients what they have to know of it.
 * @throws ConfigError if it cannot be used and no gateway runs for it
 */
export async function readConfigAnew(flag: string | undefined): Promise<ReadConfig> {
  const settings = await openVisitorSettings(flag);
  if (settings.config === undefined) return { settings };
  const { home, configPath, source, config } = settings;
  const facts = factsOf(config, source.sha256);
  keepFacts(home, configPath, facts);
  return { settings, found: { home, configPath, isOfFolder: source.scope === 'folder', facts } };
}
