import { AgentFileError } from '../../agents/agent-text.ts';
import { parseConfig } from '../../config/load.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { configText } from '../server-lists/config-text.ts';
import type { WrittenEntry } from '../server-lists/entry-lines.ts';
import { type ImportPlan, planImport } from '../server-lists/import-plan.ts';
import { readAgentServers } from '../server-lists/read-agent.ts';
import { trustNew } from '../user-files/edit-config.ts';
import { writeConfigFile } from './write-config.ts';

export interface ReadPlanOptions {
  /** The agent's config. */
  readonly from: string;
  /** The config to write. */
  readonly to: string;
  readonly env: Environment;
  readonly cwd: string;
  readonly ownScript: string | undefined;
}

/**
 * Plans what can be imported from an agent's config. Writes and starts nothing. Secrets stay as they are: only this user can
 * read the config, and what is accepted is exactly what was shown.
 * @throws ConfigError if the file cannot be read; AgentFileError if it has no usable servers
 */
export async function readPlan({ from, to, env, cwd, ownScript }: ReadPlanOptions): Promise<ImportPlan> {
  const reading = await readAgentServers({ agent: undefined, file: from, env, cwd, configPath: to });
  const [fault] = reading.faulty;
  if (fault !== undefined) throw new AgentFileError(fault.fault).at(from);
  const options = { ...loadOptions(env), configPath: to, ownScript };
  return planImport(reading.servers, { ...options, present: {}, keepSecrets: true });
}

/**
 * Writes a new config with these entries. In a working folder it is trusted at once: the user has just made it.
 * @throws ConfigExistsError; ConfigError should the new config not be valid: then nothing is written
 */
export async function writeInitialConfig(
  file: string,
  entries: readonly WrittenEntry[],
  options: { readonly env: Environment; readonly replace: boolean },
): Promise<void> {
  const text = configText(WORKFLOWS, entries);
  parseConfig(text, { ...loadOptions(options.env), path: file });
  await writeConfigFile(file, text, options.replace);
  await trustNew(file, text, options.env);
}
