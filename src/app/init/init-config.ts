import { parseConfig } from '../../config/load.ts';
import { readConfigText } from '../../config/read-config-text.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { loadOptions } from '../load-settings.ts';
import { AgentFileError, readAgentFile } from './agent-file.ts';
import { configText } from './config-text.ts';
import { type ImportPlan, type PlannedEntry, planImport } from './import-plan.ts';
import { writeConfigFile } from './write-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadPlanOptions {
  /** The agent's config. */
  readonly from: string;
  /** The config that is to be written. */
  readonly to: string;
  readonly env: Environment;
  readonly ownScript: string | undefined;
}

/**
 * What could be taken over from an agent's config. Writes and starts nothing.
 * @throws ConfigError when the file cannot be read; AgentFileError when it has no servers that can
 */
export async function readPlan({ from, to, env, ownScript }: ReadPlanOptions): Promise<ImportPlan> {
  const text = await readConfigText(from);
  try {
    return planImport(readAgentFile(text), { ...loadOptions(env), configPath: to, ownScript });
  } catch (error) {
    throw error instanceof AgentFileError ? new AgentFileError(`${from}: ${error.message}`) : error;
  }
}

/**
 * Writes a new config with these entries.
 * @throws ConfigExistsError; ConfigError should the new config not be valid: then nothing is written
 */
export async function writeInitialConfig(
  file: string,
  entries: readonly PlannedEntry[],
  options: { readonly env: Environment; readonly replace: boolean },
): Promise<void> {
  const text = configText(WORKFLOWS, entries);
  parseConfig(text, { ...loadOptions(options.env), path: file });
  await writeConfigFile(file, text, options.replace);
}
